package io.equipoise.policy.tabular;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.Constraint;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.constraint.ShrinkingScreen;
import io.equipoise.policy.tabular.BestArm.Pick;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses among arms by index less the price of their effects, or among those that a screen admits:
 * the dual penalty of Chen, Tian and Quinn 2025 and the shrinking screen
 * (docs/math/logistic.md#rules-of-choice) over cells. Immutable.
 */
public final class LagrangianRule {
  /** Where the dual variable lies among the blocks; cells count from 0, the join keeps -1. */
  public static final long KEY = -2;

  private final DualPenalty penalty;
  private final @Nullable ShrinkingScreen screen;
  private final BestArm best;

  LagrangianRule(SegmentSpec spec, Constraint constraint, BestArm best) {
    penalty =
        DualPenalty.capped(
            new EffectLimit(spec.fairness().tau(), 0),
            constraint == Constraint.DUAL_UPPER
                ? DualPenalty.Cost.UPPER_END
                : DualPenalty.Cost.ESTIMATE);
    screen =
        constraint == Constraint.SCREEN
            ? new ShrinkingScreen(penalty, ShrinkingScreen.WIDTH * spec.reward().range().width())
            : null;
    this.best = best;
  }

  boolean isScreen() {
    return screen != null;
  }

  /** Returns what is stored, or the start. */
  public static DualBlock duals(ModelState modelState) {
    return modelState.get(KEY) instanceof DualState stored ? stored.duals() : new DualBlock(1);
  }

  /** Rules; changes nothing. */
  PolicyDecision rule(
      TabularModel model,
      List<EffectBound> bounds,
      ArmScores scores,
      DualBlock duals,
      SeededRandom seededRandom) {
    ArmProspects prospects = ArmProspects.of(model, bounds, scores.mean(), scores.index());
    int arms = prospects.candidates();
    boolean[] isAny = new boolean[arms];
    Arrays.fill(isAny, true);
    boolean[] isAllowed = screen == null ? isAny : screen.allowed(prospects, duals);
    int allowed = 0;
    double[] score = new double[arms];
    double[] tieBreak = new double[arms];
    for (int arm = 0; arm < arms; arm++) {
      double charge = penalty.charge(prospects, duals, arm);
      score[arm] = prospects.optimistic(arm) - charge;
      tieBreak[arm] = scores.unclipped()[arm] - charge;
      allowed += isAllowed[arm] ? 1 : 0;
    }
    boolean isClipped = scores.index() != scores.unclipped();
    Pick pick =
        allowed > 0
            ? best.of(score, isClipped ? tieBreak : score, isAllowed, seededRandom)
            : best.of(safety(prospects), isAny, seededRandom);
    DecisionReason reason =
        allowed > 0 ? scores.reason(pick.arm(), isAllowed) : DecisionReason.UNCERTIFIED;
    EffectLimit limit = penalty.limits().get(0);
    return new PolicyDecision(
        pick,
        reason,
        scores,
        score,
        isAllowed,
        arm -> limit.admits(model.certificate(bounds, arm, limit.tight()), 0),
        screen == null ? -1 : allowed);
  }

  private static double[] safety(ArmProspects prospects) {
    double[] safety = new double[prospects.candidates()];
    for (int arm = 0; arm < safety.length; arm++) {
      safety[arm] = -prospects.effect(arm, 0).high();
    }
    return safety;
  }

  /** Moves the dual variable by the effect of what was chosen. */
  void settle(ModelState modelState, EffectSize chosen) {
    DualBlock duals = duals(modelState).copy();
    duals.advance(penalty.next(ArmProspects.of(chosen), duals, 0));
    modelState.put(KEY, new DualState(duals));
  }
}
