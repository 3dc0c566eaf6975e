package io.equipoise.bandit;

import io.equipoise.bandit.BestArm.Pick;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hard constraint of F-UCB (Huang et al. 2022, Algorithm 2): the best index among the arms
 * whose certificate is at most tau. If there is none: the best index among the arms known to be
 * safe (Assumption 3); if there are none of those either: the smallest certificate. Never the
 * unconstrained choice.
 */
final class FairRule {
  private final double tau;
  private final boolean[] isSafe;
  private final boolean hasSafe;
  private final BestArm best;

  FairRule(double tau, boolean[] isSafe, BestArm best) {
    this.tau = tau;
    this.isSafe = isSafe.clone();
    boolean any = false;
    for (boolean safe : isSafe) {
      any |= safe;
    }
    hasSafe = any;
    this.best = best;
  }

  Choice choose(
      TabularModel model,
      List<EffectBound> bounds,
      double[] mean,
      double[] unclipped,
      double[] index,
      Draw draw) {
    double[] safety = new double[index.length];
    boolean[] isFair = new boolean[index.length];
    boolean[] isAny = new boolean[index.length];
    int fair = 0;
    for (int arm = 0; arm < index.length; arm++) {
      double certificate = model.certificate(bounds, arm);
      safety[arm] = -certificate;
      isFair[arm] = certificate <= tau;
      isAny[arm] = true;
      fair += isFair[arm] ? 1 : 0;
    }
    Pick pick;
    Why why = Why.FALLBACK;
    if (fair > 0) {
      pick = best.of(index, unclipped, isFair, draw);
      why = TabularBandit.whyChosen(pick.arm(), mean, isFair);
    } else if (hasSafe) {
      pick = best.of(index, unclipped, isSafe, draw);
    } else {
      pick = best.of(safety, isAny, draw);
    }
    @Nullable Integer foregone = foregone(pick.arm(), index, isFair);
    return TabularBandit.choice(pick, best, why, mean, index, fair > 0, fair, foregone);
  }

  /** Returns the best index above the chosen one's that was left, or null. */
  static @Nullable Integer foregone(int chosen, double[] index, boolean[] isFair) {
    int bestPaid = chosen;
    for (int arm = 0; arm < index.length; arm++) {
      if (!isFair[arm] && index[arm] > index[bestPaid] + BestArm.TOLERANCE) {
        bestPaid = arm;
      }
    }
    return bestPaid == chosen ? null : bestPaid;
  }
}
