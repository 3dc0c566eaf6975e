package io.equipoise.policy.tabular;

import io.equipoise.event.DecisionReason;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.CandidateScores;
import io.equipoise.policy.constraint.Constraint;
import io.equipoise.policy.constraint.DecisionRound;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.EarnRound;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.constraint.ShrinkingScreen;
import io.equipoise.policy.tabular.BestScore.Pick;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides once over cells: by UCB, C-UCB and D-UCB, F-UCB (Huang et al. 2022, Algorithms 1 and 2),
 * the dual penalty of Chen, Tian and Quinn 2025 or the shrinking screen
 * (docs/math/logistic.md#rules-of-choice). Arms are their own places. A round is made for one
 * decision; its bounds are valid until the model state changes. Scores and the chosen arm are those
 * of the last choice.
 */
final class CellRound extends DecisionRound<EffectBound> {
  /** Where {@link EarnState} lies among the blocks; cells count from 0, the join keeps -1. */
  static final long EARNING = -5;

  /** The index of an arm of ucb that was never tried: above all that were. */
  private static final double UNTRIED = 1e6;

  /** Holds what every decision of a policy has in common. Immutable. */
  static final class Rule {
    private final TabularModel model;
    private final TabularSpec settings;
    private final EffectLimit limit;
    private final double span;
    private final double greatestReward;
    private final EarnRound.Terms terms;
    private final double untried;
    private final boolean[] isSafe;
    private final boolean hasSafe;
    private final BestScore best;
    private final @Nullable DualPenalty penalty;
    private final @Nullable ShrinkingScreen screen;

    /**
     * Reads a spec.
     *
     * @param isSafe arms that are known to be fair
     */
    Rule(SegmentSpec spec, TabularModel model, boolean[] isSafe) {
      this.model = model;
      settings = TabularSpec.of(spec);
      limit = new EffectLimit(spec.fairness().tau(), 0);
      span = spec.reward().range().width();
      greatestReward = spec.reward().range().high();
      terms =
          new EarnRound.Terms(
              spec.reward().range().low(),
              span,
              spec.fairness().delta(),
              Math.max(1, model.sets()));
      untried = ((TabularPolicyName) spec.policy().name()).isOneCell() ? UNTRIED : Double.NaN;
      this.isSafe = isSafe.clone();
      boolean any = false;
      for (boolean safe : isSafe) {
        any |= safe;
      }
      hasSafe = any;
      best = new BestScore(spec.policy().ties());
      penalty =
          settings.isPriced()
              ? DualPenalty.capped(
                  limit,
                  settings.constraint() == Constraint.DUAL_UPPER
                      ? DualPenalty.Cost.UPPER_END
                      : DualPenalty.Cost.ESTIMATE)
              : null;
      screen =
          penalty != null && settings.constraint() == Constraint.SCREEN
              ? new ShrinkingScreen(penalty, ShrinkingScreen.WIDTH * span)
              : null;
    }

    boolean isPriced() {
      return penalty != null;
    }

    /** Returns whether every effect of an arm is certified to be within tau. */
    private boolean admits(List<EffectBound> bounds, int arm) {
      return limit.admits(model.certificate(bounds, arm, limit.tight()), 0);
    }

    List<AuditFinding> findings(List<EffectBound> bounds, int arm) {
      List<AuditFinding> findings = new ArrayList<>();
      for (EffectBound bound : bounds) {
        findings.add(
            AuditFinding.ofRange(
                model.effect(bound, arm),
                bound.limit().tau(),
                model.confidence().first.guarantee()));
      }
      return findings;
    }
  }

  private final Rule rule;
  private final ModelState modelState;
  private final int[] context;
  private final long t;
  private final ClippedIndex clip;
  private final List<EffectBound> bounds;

  /** The bounds that no other one implies: the rest are within their limits if these are. */
  private final List<EffectBound> binding;

  private final double[] unclipped;
  private double[] tieBreak;
  private @Nullable ArmProspects prospects;
  private double phi;

  /** Encodes a person: the cells of both worlds of every comparison. */
  CellRound(Rule rule, ModelState modelState, int[] context, int arms, long t, ClippedIndex clip) {
    this.rule = rule;
    this.modelState = modelState;
    this.context = context;
    this.t = t;
    this.clip = clip;
    bounds = rule.model.bounds(modelState, context, t);
    binding = EffectBound.binding(bounds);
    unclipped = new double[arms];
    tieBreak = unclipped;
    begin(arms);
  }

  @Override
  protected void score() {
    double bonus = rule.settings.indexScale() * Math.sqrt(2 * PerRoundConfidence.logTerm(t));
    rule.model.score(modelState, context, bonus, rule.untried, mean, unclipped);
    index = clip.of(context, unclipped);
    score = index;
  }

  @Override
  protected void constrain() {
    if (rule.settings.constraint() == Constraint.HARD) {
      for (int arm = 0; arm < size; arm++) {
        isEligible[arm] = rule.admits(binding, arm);
      }
    }
    if (rule.penalty != null) {
      price(rule.penalty);
    }
    if (rule.settings.constraint().isSelective()) {
      fairSetSize = 0;
      for (int arm = 0; arm < size; arm++) {
        fairSetSize += isEligible[arm] ? 1 : 0;
      }
    }
  }

  private void price(DualPenalty penalty) {
    DualBlock duals = DualState.duals(modelState);
    ArmProspects known = ArmProspects.of(rule.model, binding, mean, index);
    prospects = known;
    if (rule.screen != null) {
      isEligible = rule.screen.allowed(known, duals);
    }
    score = new double[size];
    tieBreak = index == unclipped ? score : new double[size];
    for (int arm = 0; arm < size; arm++) {
      double charge = penalty.charge(known, duals, arm);
      score[arm] = index[arm] - charge;
      tieBreak[arm] = unclipped[arm] - charge;
    }
  }

  /**
   * The best score of the eligible. If there is none: the best index among the arms known to be
   * safe (Assumption 3); if there are none of those either: the smallest certificate. Never the
   * unconstrained choice.
   */
  @Override
  protected void pick(SeededRandom seededRandom) {
    Pick pick;
    if (fairSetSize != 0) {
      pick = rule.best.of(score, tieBreak, isEligible, seededRandom);
    } else if (rule.hasSafe) {
      pick = rule.best.of(index, unclipped, rule.isSafe, seededRandom);
    } else {
      boolean[] isAny = new boolean[size];
      Arrays.fill(isAny, true);
      pick = rule.best.of(safety(), isAny, seededRandom);
    }
    chosen = pick.arm();
    propensity = pick.propensities();
    kind = pick.kind();
    explain();
    if (fairSetSize == 0 && rule.hasSafe) {
      reason = DecisionReason.FALLBACK;
    }
  }

  private double[] safety() {
    double[] safety = new double[size];
    for (int arm = 0; arm < size; arm++) {
      double high =
          prospects == null
              ? rule.model.certificate(binding, arm)
              : prospects.effect(arm, 0).high();
      safety[arm] = -high;
    }
    return safety;
  }

  @Override
  protected double[] ranked() {
    return index;
  }

  /** An arm that was never tried ranks above all others, but pays within the range of rewards. */
  @Override
  protected double paid(int arm) {
    boolean isUntried = unclipped[arm] == UNTRIED;
    return isUntried ? Math.min(index[arm], rule.greatestReward) : index[arm];
  }

  @Override
  protected boolean[] certified() {
    boolean[] certified = new boolean[size];
    for (int arm = 0; arm < size; arm++) {
      certified[arm] = isCertified(arm);
    }
    return certified;
  }

  private boolean isCertified(int arm) {
    boolean isKnown = rule.settings.constraint() == Constraint.HARD;
    return isKnown ? isEligible[arm] : rule.admits(binding, arm);
  }

  @Override
  protected void settle() {
    if (rule.penalty != null) {
      DualBlock duals = DualState.duals(modelState).copy();
      phi = duals.phi(0);
      ArmProspects played = ArmProspects.of(ArmProspects.size(rule.model, binding, chosen));
      duals.advance(rule.penalty.next(played, duals, 0));
      modelState.put(DualState.KEY, new DualState(duals));
    }
  }

  @Override
  protected List<Double> duals() {
    return rule.penalty == null ? List.of() : Collections.nCopies(bounds.size(), phi);
  }

  @Override
  protected List<AuditFinding> audit(int arm) {
    return rule.findings(bounds, arm);
  }

  @Override
  protected boolean isCertified(List<AuditFinding> findings) {
    return isCertified(chosen);
  }

  /** Returns the choice as it is before any audit. */
  Choice toChoice() {
    return toChoice(isCertified(chosen));
  }

  /** While nobody is certified, the target is tried beside the arms known to be safe. */
  @Override
  protected boolean[] allowed() {
    return fairSetSize > 0 ? isEligible : rule.isSafe;
  }

  @Override
  protected EarnRound.Terms terms() {
    return rule.terms;
  }

  @Override
  protected @Nullable EffectBound look(int arm, EarnRound round) {
    double bonus = Math.max(0, Math.min(rule.span, index[arm] - mean[arm]));
    round.candidate(arm, arm, true, mean[arm], bonus);
    if (isCertified(arm)) {
      return null;
    }
    EffectBound widest = null;
    List<EffectFinding> effects = new ArrayList<>();
    for (EffectBound bound : binding) {
      EffectFinding effect = rule.model.effect(bound, arm);
      effects.add(effect);
      boolean isWidest = round.effect(arm, effect.lower(), effect.upper(), bound.limit().tau());
      widest = isWidest ? bound : widest;
    }
    for (EffectFinding effect : effects) {
      int attribute = effect.attribute();
      boolean isOwn = attribute < context.length && context[attribute] == effect.factual();
      if (isOwn && effect.isIdentified() && effect.kind() == effects.get(0).kind()) {
        long others =
            effects.stream()
                .filter(it -> it.attribute() == attribute && it.kind() == effect.kind())
                .count();
        round.other(arm, effect.estimate(), 1 / (others + 1.0));
      }
    }
    return widest;
  }

  @Override
  protected double weight(int arm, EffectBound bound) {
    return rule.model.weight(bound, context, arm);
  }

  @Override
  protected EarnState earning() {
    return modelState.get(EARNING) instanceof EarnState stored ? stored.copy() : new EarnState();
  }

  @Override
  protected void keep(EarnState earning) {
    modelState.put(EARNING, earning);
  }

  /**
   * Scores the arms for one context from the cells, under one constraint: the largest effect of all
   * sensitive attributes. The size of an effect is computed at the first call and kept. Belongs to
   * one call.
   */
  private static final class ArmProspects implements CandidateScores {
    private final double[] mean;
    private final double[] index;
    private final @Nullable EffectSize[] effects;
    private final IntFunction<EffectSize> sizes;
    private final IntToDoubleFunction estimates;

    private ArmProspects(
        double[] mean,
        double[] index,
        IntFunction<EffectSize> sizes,
        IntToDoubleFunction estimates) {
      this.mean = mean;
      this.index = index;
      this.sizes = sizes;
      this.estimates = estimates;
      effects = new EffectSize[mean.length];
    }

    static ArmProspects of(
        TabularModel model, List<EffectBound> bounds, double[] mean, double[] index) {
      return new ArmProspects(
          mean, index, arm -> size(model, bounds, arm), arm -> model.estimatedSize(bounds, arm));
    }

    /** Returns the size of an arm's largest effect. */
    static EffectSize size(TabularModel model, List<EffectBound> bounds, int arm) {
      EffectSize largest = EffectSize.NONE;
      for (EffectBound bound : bounds) {
        largest = largest.orLarger(model.size(bound, arm));
      }
      return largest;
    }

    /** Returns an arm alone, of which only the effect is known. */
    static ArmProspects of(EffectSize effect) {
      return new ArmProspects(
          new double[1], new double[1], arm -> effect, arm -> effect.estimate());
    }

    @Override
    public int candidates() {
      return mean.length;
    }

    @Override
    public int constraints() {
      return 1;
    }

    @Override
    public double mean(int candidate) {
      return mean[candidate];
    }

    @Override
    public double optimistic(int candidate) {
      return index[candidate];
    }

    @Override
    public EffectSize effect(int candidate, int constraint) {
      EffectSize known = effects[candidate];
      if (known == null) {
        known = sizes.apply(candidate);
        effects[candidate] = known;
      }
      return known;
    }

    @Override
    public double estimate(int candidate, int constraint) {
      return estimates.applyAsDouble(candidate);
    }
  }
}
