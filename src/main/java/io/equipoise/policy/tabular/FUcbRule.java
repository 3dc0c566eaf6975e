package io.equipoise.policy.tabular;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.HardConstraint;
import io.equipoise.policy.tabular.BestArm.Pick;
import java.util.List;

/**
 * The hard constraint of F-UCB (Huang et al. 2022, Algorithm 2): the best index among the arms
 * whose certificate is at most tau. If there is none: the best index among the arms known to be
 * safe (Assumption 3); if there are none of those either: the smallest certificate. Never the
 * unconstrained choice.
 */
final class FUcbRule {
  private final HardConstraint constraint;
  private final boolean[] isSafe;
  private final boolean hasSafe;
  private final BestArm best;

  FUcbRule(HardConstraint constraint, boolean[] isSafe, BestArm best) {
    this.constraint = constraint;
    this.isSafe = isSafe.clone();
    boolean any = false;
    for (boolean safe : isSafe) {
      any |= safe;
    }
    hasSafe = any;
    this.best = best;
  }

  PolicyDecision rule(
      TabularModel model, List<EffectBound> bounds, ArmScores scores, SeededRandom seededRandom) {
    EffectLimit limit = constraint.limits().get(0);
    int arms = scores.arms();
    boolean[] isFair = new boolean[arms];
    boolean[] isAny = new boolean[arms];
    int fair = 0;
    for (int arm = 0; arm < arms; arm++) {
      double certificate = model.certificate(bounds, arm, limit.tight());
      isFair[arm] = limit.admits(certificate, 0);
      isAny[arm] = true;
      fair += isFair[arm] ? 1 : 0;
    }
    Pick pick;
    DecisionReason reason = DecisionReason.UNCERTIFIED;
    if (fair > 0) {
      pick = scores.best(best, isFair, seededRandom);
      reason = scores.reason(pick.arm(), isFair);
    } else if (hasSafe) {
      pick = scores.best(best, isSafe, seededRandom);
      reason = DecisionReason.FALLBACK;
    } else {
      double[] safety = new double[arms];
      for (int arm = 0; arm < arms; arm++) {
        safety[arm] = -model.certificate(bounds, arm);
      }
      pick = best.of(safety, isAny, seededRandom);
    }
    return new PolicyDecision(
        pick, reason, scores, scores.index(), isFair, arm -> isFair[arm], fair);
  }
}
