package io.equipoise.tools.simulate;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.DefaultReward;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.simulation.SegmentDriver;
import io.equipoise.tools.simulate.SimulationRun.Group;
import io.equipoise.tools.simulate.SimulationRun.Pair;
import io.equipoise.tools.simulate.SimulationRun.Point;
import io.equipoise.tools.simulate.SimulationRun.Refutation;
import io.equipoise.tools.simulate.World.Consequence;
import io.equipoise.tools.simulate.World.Truth;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays one spec in one world on the segment machine of the job: the same contexts, joins, windows,
 * decisions, audits and learning, in event time. A run is a function of spec, world, settings and
 * seed. Thread-safe.
 */
public final class Simulation {
  private static final int PROGRESS_EVERY = 1_000;
  private static final double MILLIS = 1_000;

  private final CompiledSpec compiled;
  private final SegmentSpec spec;
  private final World world;
  private final SimulationSettings settings;
  private final @Nullable CausalBoundSet bounds;
  private final Map<String, Integer> arms = new HashMap<>();
  private final List<GroupKey> groups = new ArrayList<>();

  /**
   * Prepares runs without causal bounds.
   *
   * @param world in the variables of the spec
   */
  public Simulation(CompiledSpec compiled, World world, SimulationSettings settings) {
    this(compiled, world, settings, null);
  }

  /**
   * Prepares runs.
   *
   * @param world in the variables of the spec
   * @param bounds the set that every run adopts before its first decision; null for none
   */
  public Simulation(
      CompiledSpec compiled,
      World world,
      SimulationSettings settings,
      @Nullable CausalBoundSet bounds) {
    this.bounds = bounds;
    this.compiled = compiled;
    this.spec = compiled.spec();
    this.world = world;
    this.settings = settings;
    for (Arm arm : spec.arms().list()) {
      arms.put(arm.id(), arms.size());
    }
    List<SpecVariable> features = spec.variables().features();
    for (int place : spec.variables().sensitive()) {
      SpecVariable variable = features.get(place);
      for (int level = 0; level < variable.disclosedLevels(); level++) {
        groups.add(new GroupKey(variable.name(), variable.levels().get(level), place, level));
      }
    }
  }

  /**
   * Identifies the people with one true level of a sensitive attribute.
   *
   * @param place of the attribute among the features
   * @param index of the level
   */
  public record GroupKey(String attribute, String level, int place, int index) {}

  public SegmentSpec spec() {
    return spec;
  }

  /** Returns the causal bounds that it plays, in a sentence; null if the spec has none. */
  @Nullable String bounds() {
    CausalBoundsSpec wanted = spec.policy().causalBounds();
    return wanted == null
        ? null
        : bounds == null
            ? "no causal bounds; the spec uses the set " + wanted.name() + ": give --bounds FILE"
            : bounds.toString();
  }

  /** Returns the groups, in the order of the sums of a {@link Point}. */
  public List<GroupKey> groups() {
    return List.copyOf(groups);
  }

  /** Returns the result of a seed. */
  public SimulationRun run(long seed) {
    return run(seed, decisions -> {});
  }

  /**
   * Returns the result of a seed.
   *
   * @param progress takes the number of decisions since its last call
   * @throws WorldException if a mean reward of the world is outside of the reward range
   */
  public SimulationRun run(long seed, IntConsumer progress) {
    return new Run(seed).play(progress);
  }

  /** Plays one run and sums it up. */
  private final class Run {
    private final long seed;
    private final World.People people;
    private final SegmentDriver driver;
    private final Map<Pair, Integer> first = new LinkedHashMap<>();
    private final int[] armDecisions = new int[arms.size()];
    private final int[] groupDecisions = new int[groups.size()];
    private final double[] groupReward = new double[groups.size()];
    private final List<Point> points = new ArrayList<>();
    private double regret;
    private double regretOfBest;
    private double reward;
    private int unfair;
    private int certified;
    private int fallback;
    private int firstCertified;
    private int falseCertificates;
    private @Nullable Refutation refutation;

    Run(long seed) {
      this.seed = seed;
      people = world.people(seed);
      BoundsRegistry registry = bounds == null ? BoundsRegistry.NONE : BoundsRegistry.of(bounds);
      driver =
          new SegmentDriver(
              compiled, registry, "simulation-" + seed, MILLIS / settings.perSecond());
    }

    SimulationRun play(IntConsumer progress) {
      int reported = 0;
      for (int number = 1; number <= settings.decisions(); number++) {
        decide(number);
        if (number == settings.at(points.size())) {
          points.add(point(number));
        }
        if (number - reported == PROGRESS_EVERY || number == settings.decisions()) {
          progress.accept(number - reported);
          reported = number;
        }
      }
      return new SimulationRun(
          seed,
          first,
          firstCertified,
          falseCertificates,
          refutation,
          IntStream.of(armDecisions).boxed().toList(),
          driver.learned(),
          points);
    }

    private void decide(int number) {
      String id = "d-" + number;
      Person person = people.next();
      Decision decision = driver.ask(id, person.attributes());
      if (refutation == null && driver.refuted() != null) {
        refutation = new Refutation(driver.refuted().name(), number);
      }
      Integer arm = arms.get(String.valueOf(decision.arm()));
      if (arm == null) {
        throw new IllegalStateException("decision " + id + " has the arm " + decision.arm());
      }
      count(number, person, decision, arm);
      Consequence consequence = people.consequence(person, arm);
      double delay = -settings.delaySeconds() * StrictMath.log(1 - people.unit("delay"));
      boolean isAnswered = people.unit("answered") < settings.answered();
      DefaultReward silence = spec.reward().byDefault();
      boolean isSilent = silence != null && silence.value() == consequence.reward();
      if (isAnswered && !isSilent) {
        driver.reward(
            id, Math.round(delay * MILLIS), consequence.reward(), consequence.mediators());
      }
    }

    private void count(int number, Person person, Decision decision, int arm) {
      double tau = spec.fairness().tau();
      Truth truth = world.truth(person);
      double mean = truth.means()[arm];
      boolean isUnfair = truth.isUnfair(arm, tau);
      regret += Math.max(0, truth.bestFair(tau) - mean);
      regretOfBest += truth.best() - mean;
      reward += mean;
      unfair += isUnfair ? 1 : 0;
      fallback += decision.reason().isWithoutCertificate() ? 1 : 0;
      armDecisions[arm]++;
      if (isCertified()) {
        certified++;
        firstCertified = firstCertified == 0 ? number : firstCertified;
        falseCertificates += isUnfair ? 1 : 0;
      }
      Map<Pair, Map<AuditEffectKind, Boolean>> proven = new LinkedHashMap<>();
      for (FairnessAudit audit : driver.audits()) {
        proven
            .computeIfAbsent(
                new Pair(audit.arm(), audit.effect().attribute()),
                any -> new EnumMap<>(AuditEffectKind.class))
            .merge(
                audit.effect().kind(),
                audit.verdict() == AuditVerdict.CERTIFIED_FAIR,
                Boolean::logicalOr);
      }
      proven.forEach(
          (pair, kinds) -> {
            if (!kinds.containsValue(false)) { // one kind proves no other
              first.putIfAbsent(pair, number);
            }
          });
      for (int group = 0; group < groups.size(); group++) {
        if (person.levels()[groups.get(group).place()] == groups.get(group).index()) {
          groupDecisions[group]++;
          groupReward[group] += mean;
        }
      }
    }

    /** A decision without an audit record certifies nothing. */
    private boolean isCertified() {
      List<FairnessAudit> audits = driver.audits();
      return !audits.isEmpty()
          && audits.stream().allMatch(it -> it.verdict() == AuditVerdict.CERTIFIED_FAIR);
    }

    private Point point(int number) {
      List<Group> sums =
          IntStream.range(0, groups.size())
              .mapToObj(group -> new Group(groupDecisions[group], groupReward[group]))
              .toList();
      return new Point(number, regret, regretOfBest, unfair, certified, fallback, reward, sums);
    }
  }
}
