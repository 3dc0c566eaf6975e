package io.equipoise.policy.tabular;

import io.equipoise.causal.SeparatingSet;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.Sha256;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.LockIn;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.Constraint;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.law.EstimatedLaw;
import io.equipoise.segmentspec.Arms;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.ConfidenceKind;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the statistics of the cells of a separating set.
 *
 * <p>Immutable and safe for use by many threads; all that is learned lives in {@link ModelState}. A
 * choice is a function of blocks, context, t and draw. It costs O(|A| |Z| (1 + comparisons)) and
 * allocates nothing that grows with the number of contexts, but for tables of p(z|x,a), made once.
 */
public final class TabularPolicy implements Policy {
  private final SegmentSpec spec;
  private final SeparatingSet separatingSet;
  private final TabularModel model;
  private final CellRound.Rule rule;
  private final @Nullable CausalBoundCheck boundsCheck;
  private final ExploreSpec explore;
  private final int[] contextSizes;
  private final int rememberedNumbers;
  private final String fingerprint;
  private final long meaningOfShares;

  private TabularPolicy(SegmentSpec spec, TabularCompilation tabularCompilation) {
    this.spec = spec;
    separatingSet = tabularCompilation.separatingSet;
    model = tabularCompilation.model();
    rule = new CellRound.Rule(spec, model, tabularCompilation.safeArms());
    explore = TabularSpec.of(spec).explore();
    boundsCheck = tabularCompilation.boundsCheck(model);
    List<SpecVariable> features = spec.variables().features();
    contextSizes = features.stream().mapToInt(CellLayout::size).toArray();
    boolean isAnyTested = features.stream().anyMatch(SpecVariable::actsByBin);
    rememberedNumbers =
        isAnyTested ? (int) features.stream().filter(SpecVariable::isNumeric).count() : 0;
    fingerprint = fingerprintOver(spec);
    meaningOfShares = meaningOfShares();
  }

  private Constraint constraint() {
    return TabularSpec.of(spec).constraint();
  }

  /**
   * More levels mean the same as long as W, found over them, has the same variables. Cells of W
   * know an arm's number by its bin, so a bin means the number of its arm.
   */
  @Override
  public String fingerprintOver(SegmentSpec earlier) {
    StringBuilder kind = new StringBuilder("cells of ").append(separatingSet.variables());
    int number = 0;
    for (SpecVariable action : spec.variables().actions()) {
      boolean isOfNumbers = action.isNumeric() && !action.actsByBin();
      if (isOfNumbers && separatingSet.variables().contains(action.name())) {
        int place = number;
        spec.arms().list().stream()
            .map(arm -> arm.numbers()[place])
            .distinct()
            .sorted()
            .forEach(value -> kind.append(' ').append(value));
      }
      number += action.isNumeric() ? 1 : 0;
    }
    return EstimatedLaw.fingerprint(spec, kind.toString(), earlier.variables());
  }

  /**
   * Compiles a spec.
   *
   * @throws SpecException with all faults: W leaks, a distribution is missing that W's mediators
   *     need (also that of an attribute that may be undisclosed), a mediator has a hidden cause in
   *     common with a feature, W has too many cells
   */
  public static TabularPolicy compile(SegmentSpec spec) {
    return new TabularPolicy(spec, new TabularCompilation(spec));
  }

  /**
   * Chooses an arm.
   *
   * @param context level indices in the order of the features
   * @param t decisions served so far, this one included, so at least 1
   */
  public Choice choose(ModelState modelState, int[] context, long t, SeededRandom seededRandom) {
    return choose(modelState, context, t, seededRandom, ClippedIndex.NONE);
  }

  /** Chooses an arm with indices clipped into causal bounds. */
  public Choice choose(
      ModelState modelState, int[] context, long t, SeededRandom seededRandom, ClippedIndex clip) {
    CellRound round = round(modelState, context, t, clip);
    round.choose(explore, seededRandom, CellRound.NONE);
    return round.toChoice();
  }

  /** Chooses as {@link #choose} and audits what was chosen as {@link #audit}, at one's cost. */
  public AuditedChoice chooseAndAudit(
      ModelState modelState, int[] context, long t, SeededRandom seededRandom) {
    return round(modelState, context, t, ClippedIndex.NONE).decide(explore, seededRandom, null);
  }

  @Override
  public AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip,
      @Nullable PublishedChoice given) {
    return round(modelState, request.person().levels(), t, clip)
        .decide(explore, seededRandom, given);
  }

  private CellRound round(ModelState modelState, int[] context, long t, ClippedIndex clip) {
    check(context);
    return new CellRound(rule, modelState, context, spec.arms().size(), t, clip);
  }

  @Override
  public double modelBytes() {
    double blocks = cells() / cellsPerBlock();
    double own = rule.isPriced() ? Long.BYTES + new DualState(new DualBlock(1)).byteLength() : 0;
    double targeted =
        explore.earns() ? Long.BYTES + (double) EarnState.byteLength(spec.arms().size()) : 0;
    double shares = sharesDelta() ? DeltaShares.KEYED_BYTES : 0;
    shares += model.isEstimated() ? DeltaShares.KEYED_BYTES : 0;
    return blocks * (Long.BYTES + new CellBlock(cellsPerBlock()).byteLength())
        + shares
        + own
        + targeted;
  }

  @Override
  public void learn(ModelState modelState, Experience experience, long t) {
    check(experience.person());
    model.learn(
        modelState,
        experience.person(),
        model.layout().firstCell(experience.levels()),
        experience.mediators(),
        experience.reward());
    end(modelState, experience.arm(), experience.position());
  }

  @Override
  public void end(ModelState modelState, int arm, int position) {
    if (explore.earns()) {
      EarnState.end(modelState, CellRound.EARNING, arm);
    }
  }

  /**
   * Resets the price and the targets under another constraint or tau; the decisions of the price go
   * on being counted.
   */
  @Override
  public List<String> succeed(@Nullable Policy before, ModelState modelState) {
    if (sharesDelta()) {
      DeltaShares.adopt(modelState, DeltaShares.KEY, 1, meaningOfShares);
    }
    if (model.isEstimated()) {
      DeltaShares.adopt(modelState, DeltaShares.TABLES, 1, Sha256.longOf(model.estimates()));
    }
    boolean isSame =
        before instanceof TabularPolicy other
            && other.constraint() == constraint()
            && other.spec.fairness().tau() == spec.fairness().tau()
            && other.spec.fairness().kinds().equals(spec.fairness().kinds())
            && other.spec.fairness().intersections() == spec.fairness().intersections();
    if (before instanceof TabularPolicy other
        && modelState.get(CellRound.EARNING) instanceof EarnState stored) {
      modelState.put(CellRound.EARNING, stored.reordered(other.placesOf(spec.arms())));
    }
    boolean hasTargets = modelState.get(CellRound.EARNING) != null;
    boolean hasPrice = modelState.get(DualState.KEY) != null;
    if (isSame || !(hasPrice || hasTargets)) {
      return List.of();
    }
    modelState.remove(CellRound.EARNING);
    if (hasPrice && rule.isPriced()) {
      modelState.put(DualState.KEY, new DualState(DualState.duals(modelState).startedAnew(1)));
    } else {
      modelState.remove(DualState.KEY);
    }
    return List.of(POLICY_STATE);
  }

  private boolean sharesDelta() {
    return spec.fairness().confidence() != ConfidenceKind.PAPER || boundsCheck != null;
  }

  /**
   * Returns a hash of all that the intervals of cells depend on but for what was learned. A level
   * in the place of another one makes other cells, though as many.
   */
  private long meaningOfShares() {
    CausalBoundsSpec bounds = spec.policy().causalBounds();
    return Sha256.longOf(
        "%s %s %s %s %s %s %s %s %s"
            .formatted(
                spec.fairness().confidence(),
                spec.fairness().delta(),
                spec.fairness().scale(),
                spec.reward().range(),
                bounds == null ? "" : bounds.delta(),
                model.isEstimated(),
                sets(),
                cells(),
                spec.variables().actions().stream()
                    .filter(action -> separatingSet.variables().contains(action.name()))
                    .map(action -> action.levels().stream().sorted().toList())
                    .toList()));
  }

  private int[] placesOf(Arms arms) {
    return arms.list().stream().mapToInt(arm -> spec.arms().indexOf(arm.id())).toArray();
  }

  /** Numbers are remembered only where a test looks at where in its bin a number is. */
  @Override
  public double[] inputs(Request request, int candidate) {
    return numbers(request.person().numbers());
  }

  @Override
  public double[] numbers(double[] inputs) {
    return Arrays.copyOf(inputs, rememberedNumbers);
  }

  @Override
  public @Nullable String refusalOfLevels(SpecVariable variable) {
    return null;
  }

  @Override
  public @Nullable String refusalOfRemoval(SpecVariable variable) {
    return null;
  }

  @Override
  public boolean needsLevel(SpecVariable variable) {
    return true;
  }

  @Override
  public String dependsOn() {
    return "policy.separating-set, found or given, which is now " + separatingSet.variables();
  }

  @Override
  public void extend(Policy before, LevelMap levels, ModelState modelState) {
    model.carryOver(((TabularPolicy) before).model, levels, modelState);
  }

  @Override
  public String needsOfMediators() {
    return "the policy learns by cells of " + separatingSet.variables();
  }

  @Override
  public List<String> mediatorsNeeded() {
    return spec.variables().mediators().stream()
        .map(SpecVariable::name)
        .filter(separatingSet.mediators()::contains)
        .toList();
  }

  @Override
  public boolean canLearn(int[] mediators) {
    return model.layout().mediatorCell(mediators) >= 0;
  }

  /** Learns a reward; it must be finite, and {@link #canLearn} must hold. */
  public void learn(ModelState modelState, int[] context, int arm, int[] mediators, double reward) {
    check(context);
    model.learn(modelState, context, model.layout().firstCell(arm), mediators, reward);
  }

  /**
   * Audits an arm for a context, whatever the policy: one finding for each sensitive attribute and
   * counterfactual value, or for each ordered pair of values where it is undisclosed.
   */
  public List<AuditFinding> audit(ModelState modelState, int[] context, int arm, long t) {
    check(context);
    return rule.findings(model.bounds(modelState, context, t), arm);
  }

  @Override
  public List<Refutation> refuted(
      ModelState modelState, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    return refuted(modelState, request.person().levels(), t, boundsTable, known);
  }

  public List<Refutation> refuted(
      ModelState modelState, int[] context, long t, CausalBoundTable boundsTable, BitSet known) {
    check(context);
    if (boundsCheck == null) {
      throw new IllegalStateException("spec " + spec.name() + " has no causal bounds to refute");
    }
    return boundsCheck.refuted(modelState, context, t, spec.arms().size(), boundsTable, known);
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  /** Returns when effects can be expected to be certified, or null where nothing says so. */
  @Nullable CertificateForecast forecast(Expected expected) {
    return model.hasEffects() && spec.fairness().confidence() == ConfidenceKind.JOINT
        ? new CellForecast(this, model.at(expected.delta(), spec.reward().range().low()), expected)
        : null;
  }

  /** Returns W. */
  public SeparatingSet separatingSet() {
    return separatingSet;
  }

  /** Returns how many cells a {@link CellBlock} of this model has. */
  public int cellsPerBlock() {
    return model.layout().cellsPerBlock();
  }

  /** Returns the number of cells of all blocks together, |W|. */
  public double cells() {
    return model.layout().cells();
  }

  /** Returns the audited kinds of effects that a sensitive attribute, by its place, can have. */
  List<AuditEffectKind> kinds(int place) {
    return model.counterfactuals().kinds(place);
  }

  @Override
  public int effectsOf(int attribute) {
    return model.counterfactuals().effectsOf(attribute);
  }

  /** Returns how many sets of cells the comparisons of this model can have. */
  public double sets() {
    return model.sets();
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (isLockedIn()) {
      warnings.add(
          LockIn.warning(
              "W = "
                  + separatingSet.variables()
                  + " has no mediators, so a cell learns only from arms that are played",
              "Model the mediators, name arms that you know to be fair under policy.safe of"
                  + " f-ucb"));
    }
    if (explore.share() == 0) {
      warnings.add(DecisionRound.warningWithoutExploration(spec.policy().name()));
    }
    return warnings;
  }

  /**
   * Returns whether the certified set cannot grow: where W has no mediators, an arm is known only
   * from being played, so where its certificate needs data, it must be tried to be certified.
   */
  private boolean isLockedIn() {
    boolean isScreened = constraint().isSelective();
    boolean triesAll = explore.share() > 0 && explore.over() != ExploreSpec.Over.FAIR_SET;
    boolean needsPlay = separatingSet.mediators().isEmpty() && model.hasEffects();
    return isScreened && !triesAll && needsPlay;
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }

  /** Refuses with the fault alone: logs must not tell the person's other levels. */
  private void check(int[] context) {
    if (context.length != contextSizes.length) {
      throw new IllegalArgumentException(
          "a context of " + context.length + " levels for " + contextSizes.length + " variables");
    }
    for (int place = 0; place < context.length; place++) {
      if (context[place] < 0 || context[place] >= contextSizes[place]) {
        throw new IllegalArgumentException(
            "level %d of %d of the context variable at %d"
                .formatted(context[place], contextSizes[place], place));
      }
    }
  }
}
