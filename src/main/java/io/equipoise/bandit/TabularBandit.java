package io.equipoise.bandit;

import io.equipoise.bandit.BestArm.Pick;
import io.equipoise.bandit.constraint.DualBlock;
import io.equipoise.bandit.features.Profile;
import io.equipoise.causal.SeparatingSet;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.spec.PolicyName;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecException;
import io.equipoise.spec.SpecVariable;
import io.equipoise.spec.TabularSpec;
import io.equipoise.spec.Variables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the statistics of the cells of a separating set.
 *
 * <p>Immutable and safe for use by many threads; all that is learnt lives in {@link Blocks}. A
 * choice is a function of blocks, context, t and draw. It costs O(|A| |Z| (1 + comparisons)) and
 * allocates nothing that grows with the number of contexts, but for tables of p(z|x,a), made once.
 */
public final class TabularBandit implements Bandit {
  private static final double[] NO_INPUTS = {};

  /** The index of an arm of ucb that was never tried: above all that were. */
  private static final double UNTRIED = 1e6;

  private final SegmentSpec spec;
  private final SeparatingSet separatingSet;
  private final TabularModel model;
  private final BestArm best;
  private final @Nullable FairRule fairRule;
  private final @Nullable PricedRule pricedRule;
  private final @Nullable PriorCheck priorCheck;
  private final double untried;
  private final int[] contextSizes;
  private final String fingerprint;

  private TabularBandit(SegmentSpec spec, Compilation compilation) {
    this.spec = spec;
    separatingSet = compilation.separatingSet();
    model = compilation.model();
    best = new BestArm(spec.policy().ties());
    fairRule =
        spec.policy().name() == PolicyName.F_UCB
            ? new FairRule(spec.fairness().tau(), compilation.safeArms(), best)
            : null;
    TabularSpec effects = spec.policy().tabular();
    pricedRule = effects == null ? null : new PricedRule(spec, effects.constraint(), best);
    priorCheck = compilation.priorCheck(model);
    boolean isOneCell = spec.policy().name().isOneCell();
    untried = isOneCell ? UNTRIED : Double.NaN;
    List<SpecVariable> features = spec.variables().features();
    contextSizes = features.stream().mapToInt(CellLayout::size).toArray();
    fingerprint = fingerprintOver(spec.variables());
  }

  private String fingerprintOver(Variables variables) {
    return Fingerprint.of(spec, variables, separatingSet.variables(), keepsSums());
  }

  /**
   * Compiles a spec.
   *
   * @throws SpecException with all faults: W leaks, a distribution is missing that W's mediators
   *     need (also that of an attribute that may be undisclosed), a mediator has a hidden cause in
   *     common with a feature, W has too many cells
   */
  public static TabularBandit compile(SegmentSpec spec) {
    return new TabularBandit(spec, new Compilation(spec));
  }

  /**
   * Chooses an arm.
   *
   * @param context level indices in the order of the features
   * @param t decisions served so far, this one included, so at least 1
   */
  public Choice choose(Blocks blocks, int[] context, long t, Draw draw) {
    return choose(blocks, context, t, draw, ClippedIndex.NONE);
  }

  /** Chooses an arm with indices clipped into prior bounds. */
  public Choice choose(Blocks blocks, int[] context, long t, Draw draw, ClippedIndex clip) {
    check(context);
    return choose(blocks, context, t, draw, clip, model.bounds(blocks, context, t));
  }

  /** Chooses as {@link #choose} and audits what was chosen as {@link #audit}, at one's cost. */
  public AuditedChoice chooseAndAudit(Blocks blocks, int[] context, long t, Draw draw) {
    return chooseAndAudit(blocks, context, t, draw, ClippedIndex.NONE);
  }

  /** Chooses with indices clipped into prior bounds, and audits what was chosen. */
  public AuditedChoice chooseAndAudit(
      Blocks blocks, int[] context, long t, Draw draw, ClippedIndex clip) {
    check(context);
    List<EffectBound> bounds = model.bounds(blocks, context, t);
    Choice choice = choose(blocks, context, t, draw, clip, bounds);
    Integer left = choice.foregone();
    List<AuditFinding> findings = findings(bounds, choice.arm());
    return new AuditedChoice(choice, findings, duals(blocks, bounds, choice, findings.size()))
        .leaving(left == null ? null : findings(bounds, left));
  }

  /** Returns the dual variable before the decision for each finding, and moves it on. */
  private List<Double> duals(Blocks blocks, List<EffectBound> bounds, Choice choice, int findings) {
    if (pricedRule == null) {
      return List.of();
    }
    double phi = PricedRule.duals(blocks).phi(0);
    pricedRule.settle(blocks, ArmProspects.size(model, bounds, choice.arm()));
    return Collections.nCopies(findings, phi);
  }

  private Choice choose(
      Blocks blocks,
      int[] context,
      long t,
      Draw draw,
      ClippedIndex clip,
      List<EffectBound> bounds) {
    int arms = spec.arms().size();
    double[] mean = new double[arms];
    double[] unclipped = new double[arms];
    double bonus = spec.policy().indexScale() * Math.sqrt(2 * Paper.logTerm(t));
    model.score(blocks, context, bonus, untried, mean, unclipped);
    double[] index = clip.of(context, unclipped);
    if (fairRule != null) {
      return fairRule.choose(model, bounds, mean, unclipped, index, draw);
    }
    if (pricedRule != null) {
      ArmProspects prospects = ArmProspects.of(model, bounds, mean, index);
      DualBlock duals = PricedRule.duals(blocks);
      return pricedRule.choose(prospects, duals, unclipped, index == unclipped, draw);
    }
    boolean[] isAny = new boolean[arms];
    Arrays.fill(isAny, true);
    Pick pick = best.of(index, unclipped, isAny, draw);
    boolean isCertified = model.certificate(bounds, pick.arm()) <= spec.fairness().tau();
    Why why = whyChosen(pick.arm(), mean, isAny);
    return choice(pick, best, why, mean, index, isCertified, -1, null);
  }

  static Why whyChosen(int arm, double[] mean, boolean[] isEligible) {
    boolean isBestPaid = mean[arm] >= BestArm.greatest(mean, isEligible) - BestArm.TOLERANCE;
    return isBestPaid ? Why.EXPLOIT : Why.EXPLORE;
  }

  static Choice choice(
      Pick pick,
      BestArm best,
      Why why,
      double[] mean,
      double[] index,
      boolean isCertified,
      int fairSetSize,
      @Nullable Integer foregone) {
    int arm = pick.arm();
    return new Choice(
        arm,
        why,
        index[arm],
        mean[arm],
        index[arm] - mean[arm],
        best.kind(),
        pick.propensities(),
        isCertified,
        fairSetSize,
        foregone,
        false);
  }

  @Override
  public AuditedChoice decide(
      Blocks blocks, Request request, long t, Draw draw, ClippedIndex clip) {
    return chooseAndAudit(blocks, request.person().levels(), t, draw, clip);
  }

  @Override
  public AuditedChoice recall(
      Blocks blocks, Request request, Shown shown, long t, Draw draw, ClippedIndex clip) {
    int[] context = request.person().levels();
    check(context);
    List<EffectBound> bounds = model.bounds(blocks, context, t);
    Choice choice = shown.choice();
    List<AuditFinding> findings = findings(bounds, choice.arm());
    return new AuditedChoice(choice, findings, duals(blocks, bounds, choice, findings.size()));
  }

  @Override
  public double modelBytes() {
    double blocks = cells() / cellsPerBlock();
    double own = pricedRule == null ? 0 : Long.BYTES + new DualState(new DualBlock(1)).byteLength();
    return blocks * (Long.BYTES + new CellBlock(cellsPerBlock(), keepsSums()).byteLength()) + own;
  }

  @Override
  public boolean takesOffers() {
    return false;
  }

  @Override
  public double[] inputs(Request request, int offer) {
    return NO_INPUTS;
  }

  @Override
  public double[] inputsOfArm(double[] inputs, Profile arm) {
    return NO_INPUTS;
  }

  @Override
  public double[] numbers(double[] inputs) {
    return NO_INPUTS;
  }

  @Override
  public void learn(Blocks blocks, Experience experience, long t) {
    check(experience.person());
    model.learn(
        blocks,
        experience.person(),
        model.layout().firstCell(experience.levels()),
        experience.mediators(),
        experience.reward());
  }

  @Override
  public List<String> succeed(@Nullable Bandit before, Blocks blocks) {
    boolean isSame =
        before instanceof TabularBandit other
            && Objects.equals(other.spec.policy().tabular(), spec.policy().tabular())
            && other.spec.fairness().tau() == spec.fairness().tau()
            && other.spec.fairness().intersections() == spec.fairness().intersections();
    if (isSame || blocks.get(PricedRule.KEY) == null) {
      return List.of();
    }
    blocks.remove(PricedRule.KEY);
    return List.of(POLICY_STATE);
  }

  /** More levels mean the same as long as W, found over them, has the same variables. */
  @Override
  public @Nullable LevelMap extensionOf(Bandit before) {
    Variables variables = before.spec().variables();
    return before instanceof TabularBandit
            && before.fingerprint().equals(fingerprintOver(variables))
        ? LevelMap.of(variables, spec.variables())
        : null;
  }

  @Override
  public void extend(Bandit before, LevelMap levels, Blocks blocks) {
    model.carryOver(((TabularBandit) before).model, levels, blocks);
  }

  @Override
  public String needsOfMediators() {
    return "the policy learns by cells of " + separatingSet.variables();
  }

  @Override
  public boolean canLearn(int[] mediators) {
    return model.layout().mediatorCell(mediators) >= 0;
  }

  /** Learns a reward; it must be finite, and {@link #canLearn} must hold. */
  public void learn(Blocks blocks, int[] context, int arm, int[] mediators, double reward) {
    check(context);
    model.learn(blocks, context, model.layout().firstCell(arm), mediators, reward);
  }

  /**
   * Audits an arm for a context, whatever the policy: one finding for each sensitive attribute and
   * counterfactual value, or for each ordered pair of values where it is undisclosed.
   */
  public List<AuditFinding> audit(Blocks blocks, int[] context, int arm, long t) {
    check(context);
    return findings(model.bounds(blocks, context, t), arm);
  }

  @Override
  public List<Refutation> refuted(
      Blocks blocks, Request request, long t, PriorTable priors, BitSet known) {
    return refuted(blocks, request.person().levels(), t, priors, known);
  }

  List<Refutation> refuted(Blocks blocks, int[] context, long t, PriorTable priors, BitSet known) {
    check(context);
    if (priorCheck == null) {
      throw new IllegalStateException("spec " + spec.name() + " has no prior bounds to refute");
    }
    return priorCheck.refuted(blocks, context, t, spec.arms().size(), priors, known);
  }

  private List<AuditFinding> findings(List<EffectBound> bounds, int arm) {
    List<AuditFinding> findings = new ArrayList<>();
    for (EffectBound bound : bounds) {
      findings.add(
          AuditFinding.of(
              model.effect(bound, arm), spec.fairness().tau(), model.confidence().guarantee()));
    }
    return findings;
  }

  @Override
  public String fingerprint() {
    return fingerprint;
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

  /** Says whether blocks keep order-dependent sums and do not merge. */
  public boolean keepsSums() {
    return model.confidence().needsSums();
  }

  /**
   * Warns of lock-in. Where W has no mediators, an arm is known only from being played; so where
   * its certificate needs data, an arm that is not certified is never tried, and the certified set
   * cannot grow.
   */
  @Override
  public List<String> warnings() {
    boolean isScreened = fairRule != null || (pricedRule != null && pricedRule.isScreen());
    boolean isLockedIn = isScreened && separatingSet.mediators().isEmpty() && model.hasEffects();
    return isLockedIn
        ? List.of(
            "policy "
                + spec.policy().name().wire()
                + " with a separating set without mediators, "
                + separatingSet.variables()
                + ": arms that are not certified are never tried, so they stay uncertified")
        : List.of();
  }

  @Override
  public SegmentSpec spec() {
    return spec;
  }

  private void check(int[] context) {
    boolean isGood = context.length == contextSizes.length;
    for (int place = 0; isGood && place < context.length; place++) {
      isGood = context[place] >= 0 && context[place] < contextSizes[place];
    }
    if (!isGood) {
      throw new IllegalArgumentException(
          "context " + Arrays.toString(context) + " for sizes " + Arrays.toString(contextSizes));
    }
  }
}
