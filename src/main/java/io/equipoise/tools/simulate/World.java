package io.equipoise.tools.simulate;

import io.equipoise.causal.HeldQuery;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.EffectUnit;
import io.equipoise.segmentspec.Field;
import io.equipoise.segmentspec.Intersections;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.RewardRule;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a population with known means and effects, in the variables of one spec.
 *
 * <p>The mean reward of a person and an arm is the base rate plus the stated effects, averaged over
 * the mediators that follow from both. The true effect of an attribute is the change of this mean
 * if the attribute alone were different: mediators follow it, other features of the person stay. Of
 * limits by kind over cells it is the largest, of all kinds with a limit, as a share of its limit.
 * Thread-safe; equal seeds give equal people and rewards.
 *
 * <p>The only mutable field caches truths by the levels of a person, up to {@value #MOST_CACHED}. A
 * truth depends on nothing else, so an entry is always valid.
 */
public final class World {
  private static final int MOST_CACHED = 1 << 16;
  private static final double ROUNDING = 1e-9;

  private final SegmentSpec spec;
  private final List<SpecVariable> features;
  private final RewardModel model;
  private final PeopleSource source;
  private final List<Integer> used;
  private final @Nullable HeldQuery query;
  private final List<List<Integer>> attributes = new ArrayList<>();
  private final double noise;
  private final boolean isCached;
  private final Map<List<Integer>, Truth> cache = new ConcurrentHashMap<>();

  private World(SegmentSpec spec, WorldFile file, @Nullable PeopleFile people) {
    this.spec = spec;
    features = spec.variables().features();
    model = new RewardModel(spec, file);
    source = new PeopleSource(spec, file, people);
    used = model.usedMediators();
    query = used.isEmpty() ? null : source.query(used);
    spec.variables().sensitive().forEach(place -> attributes.add(List.of(place)));
    attributes.addAll(Intersections.of(spec).sets());
    noise = noise(spec.reward(), file);
    isCached = RewardModel.numeric(features).isEmpty();
  }

  /**
   * Creates a world in the variables of a spec.
   *
   * @param people instead of the spec's distributions; null without
   * @throws WorldException if the file names a variable, a level or an arm that the spec lacks, or
   *     states what the spec's rewards cannot be
   */
  public static World of(SegmentSpec spec, WorldFile file, @Nullable PeopleFile people) {
    return new World(spec, file, people);
  }

  /**
   * Holds the true means and effects of a person.
   *
   * @param means the mean reward of each arm
   * @param effects the greatest size of a true effect of any sensitive attribute for each arm; over
   *     cells the limit of each kind counts as tau
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Truth(double[] means, double[] effects) {
    /** Returns the greatest mean. */
    public double best() {
      return Arrays.stream(means).max().orElseThrow();
    }

    /** Returns the greatest mean among all arms with an effect of at most tau. */
    public double bestFair(double tau) {
      return bestFair(tau, IntStream.range(0, means.length).toArray());
    }

    /**
     * Returns the greatest mean among some arms with an effect of at most tau. If there is none,
     * returns the mean of the arm with the least effect.
     */
    public double bestFair(double tau, int[] offered) {
      double best = Double.NEGATIVE_INFINITY;
      int least = offered[0];
      for (int arm : offered) {
        least = effects[arm] < effects[least] ? arm : least;
        best = effects[arm] <= tau + ROUNDING ? Math.max(best, means[arm]) : best;
      }
      return best == Double.NEGATIVE_INFINITY ? means[least] : best;
    }

    /** Returns whether an arm has an effect of more than tau. */
    public boolean isUnfair(int arm, double tau) {
      return effects[arm] > tau + ROUNDING;
    }
  }

  /**
   * Holds the mediators and the reward that follow from an arm.
   *
   * @param mediators level by name
   */
  public record Consequence(Map<String, Object> mediators, double reward) {
    public Consequence {
      mediators = Map.copyOf(mediators);
    }
  }

  /** Draws a stream of people, which belongs to one thread. */
  public final class People {
    private final WorldDraws draws;

    private People(long seed) {
      draws = new WorldDraws(seed);
    }

    /** Draws the next person; streams of equal seeds draw equal people. */
    public Person next() {
      return source.person(draws);
    }

    /** Draws the mediators and the reward that follow from a person and an arm. */
    public Consequence consequence(Person person, int arm) {
      int[] levels = source.mediators(person, arm, draws);
      double mean = mean(person.levels(), person.numbers(), levels, arm);
      Map<String, Object> mediators = new HashMap<>();
      List<SpecVariable> variables = spec.variables().mediators();
      for (int i = 0; i < levels.length; i++) {
        mediators.put(variables.get(i).name(), variables.get(i).levels().get(levels[i]));
      }
      return new Consequence(mediators, reward(mean));
    }

    private double reward(double mean) {
      if (noise > 0) {
        return mean + noise * draws.gaussian("reward");
      }
      NumberRange range = spec.reward().range();
      return draws.unit("reward") < (mean - range.low()) / range.width()
          ? range.high()
          : range.low();
    }

    /** Draws a uniform number in [0, 1) for a purpose of the caller. */
    double unit(String purpose) {
      return draws.unit(purpose);
    }
  }

  public People people(long seed) {
    return new People(seed);
  }

  /** Returns the means and effects of a person; from the cache if it has them. */
  public Truth truth(Person person) {
    if (!isCached) {
      return computed(person.levels(), person.numbers());
    }
    List<Integer> key = IntStream.of(person.levels()).boxed().toList();
    Truth truth = cache.get(key);
    if (truth == null) {
      truth = computed(person.levels(), person.numbers());
      if (cache.size() < MOST_CACHED) {
        cache.put(key, truth);
      }
    }
    return truth;
  }

  private Truth computed(int[] levels, double[] numbers) {
    int arms = spec.arms().size();
    double[] means = new double[arms];
    Truth truth = new Truth(means, new double[arms]);
    for (int arm = 0; arm < arms; arm++) {
      means[arm] = expected(levels, levels, numbers, arm);
    }
    for (List<Integer> places : attributes) {
      addEffects(places, 0, levels, levels.clone(), numbers.clone(), truth);
    }
    return truth;
  }

  /** Walks over all values of some attributes and keeps the greatest change of each arm's mean. */
  private void addEffects(
      List<Integer> places, int done, int[] person, int[] levels, double[] numbers, Truth truth) {
    if (done == places.size()) {
      for (int arm = 0; arm < truth.means.length; arm++) {
        double effect = largest(person, levels, numbers, arm, truth.means[arm]);
        truth.effects[arm] = Math.max(truth.effects[arm], effect);
      }
      return;
    }
    int place = places.get(done);
    SpecVariable variable = features.get(place);
    int own = levels[place];
    int number = variable.isNumeric() ? RewardModel.numeric(features).indexOf(variable) : -1;
    double ownNumber = number < 0 ? 0 : numbers[number];
    for (int level = 0; level < variable.disclosedLevels(); level++) {
      levels[place] = level;
      if (number >= 0) {
        numbers[number] = level == own ? ownNumber : variable.middle(level);
      }
      addEffects(places, done + 1, person, levels, numbers, truth);
    }
    levels[place] = own;
    if (number >= 0) {
      numbers[number] = ownNumber;
    }
  }

  /** Returns a mean in the unit of effects. */
  private double scaled(double mean) {
    return spec.fairness().unit() == EffectUnit.REWARD
        ? mean
        : StrictMath.log(mean) - StrictMath.log1p(-mean);
  }

  /** Returns the size of an arm's largest effect; the limit of each kind counts as tau. */
  private double largest(int[] person, int[] levels, double[] numbers, int arm, double mean) {
    double changed = expected(levels, levels, numbers, arm);
    if (spec.fairness().kinds().isEmpty()
        || !spec.policy().family().kinds().contains(AuditEffectKind.TOTAL)) {
      return Math.abs(scaled(changed) - scaled(mean));
    }
    double alone = expected(person, levels, numbers, arm);
    double largest = 0;
    for (Map.Entry<AuditEffectKind, Double> limit : spec.fairness().kinds().entrySet()) {
      double effect =
          switch (limit.getKey()) {
            case DIRECT -> alone - mean;
            case INDIRECT -> changed - alone;
            default -> changed - mean;
          };
      double units = spec.fairness().tau() / limit.getValue();
      largest = Math.max(largest, Math.abs(effect) * units);
    }
    return largest;
  }

  /** Averages the mean over the mediators that it depends on, which some person has. */
  private double expected(int[] person, int[] levels, double[] numbers, int arm) {
    if (query == null) {
      return mean(levels, numbers, new int[0], arm);
    }
    List<SpecVariable> mediators = spec.variables().mediators();
    double[] joint = query.distribution(source.held(person, arm));
    int[] consequences = new int[mediators.size()];
    double mean = 0;
    for (int cell = 0; cell < joint.length; cell++) {
      int rest = cell;
      for (int i = used.size() - 1; i >= 0; i--) {
        int size = mediators.get(used.get(i)).disclosedLevels();
        consequences[used.get(i)] = rest % size;
        rest /= size;
      }
      if (joint[cell] > 0) {
        mean += joint[cell] * mean(levels, numbers, consequences, arm);
      }
    }
    return mean;
  }

  private double mean(int[] levels, double[] numbers, int[] consequences, int arm) {
    double mean = model.mean(levels, numbers, consequences, arm);
    NumberRange range = spec.reward().range();
    if (!(mean >= range.low() - ROUNDING && mean <= range.high() + ROUNDING)) {
      throw new WorldException(
          "the mean reward of %s is %s, outside of reward.range [%s, %s] of spec %s; change base-rate or an effect"
              .formatted(
                  model.describe(levels, arm),
                  Field.shown(mean),
                  Field.shown(range.low()),
                  Field.shown(range.high()),
                  spec.name()));
    }
    return mean;
  }

  private static double noise(RewardRule reward, WorldFile file) {
    Double stated = file.noise();
    if (reward.bounded()) {
      if (stated != null && stated > 0) {
        throw new WorldException(
            file.at("noise")
                + ": "
                + stated
                + " given; only with reward.bounded: false. Bounded rewards are one of both ends");
      }
      return 0;
    }
    return stated == null ? reward.scale() : stated;
  }
}
