package io.equipoise.policy.tabular;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.ExcludedArm;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.Scan;

/**
 * What the cells say that each arm of one context pays.
 *
 * @param mean by arm
 * @param unclipped optimistic index by arm, {@link #UNTRIED} for one that ucb never tried
 * @param index the same, clipped into causal bounds; the same array where nothing clips
 * @param greatestReward that there can be
 */
@SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
record ArmScores(double[] mean, double[] unclipped, double[] index, double greatestReward) {
  /** The index of an arm of ucb that was never tried: above all that were. */
  static final double UNTRIED = 1e6;

  int arms() {
    return mean.length;
  }

  /** Picks the arm with the best index among the eligible ones. */
  BestArm.Pick best(BestArm best, boolean[] isEligible, SeededRandom seededRandom) {
    return best.of(index, unclipped, isEligible, seededRandom);
  }

  /** Says why an arm was picked among the eligible ones. */
  DecisionReason reason(int arm, boolean[] isEligible) {
    boolean isBestPaid = mean[arm] >= BestArm.greatest(mean, isEligible) - Scan.TIE;
    return isBestPaid ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE;
  }

  /** An arm that was never tried ranks above all others, but pays within the range of rewards. */
  ExcludedArm paid(int arm) {
    boolean isUntried = unclipped[arm] == UNTRIED;
    return new ExcludedArm(arm, isUntried ? Math.min(index[arm], greatestReward) : index[arm]);
  }
}
