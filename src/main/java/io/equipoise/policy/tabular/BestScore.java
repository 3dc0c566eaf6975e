package io.equipoise.policy.tabular;

import io.equipoise.event.PropensityKind;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.Scan;
import io.equipoise.segmentspec.Ties;

/**
 * Picks the arm with the greatest score among the eligible ones. Scores within {@link Scan#TIE} of
 * the greatest are ties: sums of equal terms in another order must not decide.
 */
record BestScore(Ties ties) {
  /**
   * Carries the picked arm, the probability of each arm to be it, and the kind of that probability.
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
  record Pick(int arm, double[] propensities, PropensityKind kind) {}

  /**
   * Picks the arm with the greatest clipped score, and breaks ties by the score before clipping.
   * Without this, the least known of many arms at the same bound would never be tried.
   */
  Pick of(double[] clipped, double[] score, boolean[] isEligible, SeededRandom seededRandom) {
    if (clipped == score) {
      return of(score, isEligible, seededRandom);
    }
    double greatest = greatest(clipped, isEligible);
    boolean[] isLeft = new boolean[score.length];
    for (int arm = 0; arm < score.length; arm++) {
      isLeft[arm] = isTied(arm, clipped, isEligible, greatest);
    }
    return of(score, isLeft, seededRandom);
  }

  /** Picks; at least one arm must be eligible. */
  Pick of(double[] score, boolean[] isEligible, SeededRandom seededRandom) {
    double greatest = greatest(score, isEligible);
    int tied = 0;
    for (int arm = 0; arm < score.length; arm++) {
      tied += isTied(arm, score, isEligible, greatest) ? 1 : 0;
    }
    boolean isDrawn = ties == Ties.SEEDED;
    int skip =
        isDrawn && tied > 1 ? (int) (seededRandom.uniform(SeededRandom.Purpose.TIE) * tied) : 0;
    double[] propensities = new double[score.length];
    int chosen = -1;
    for (int arm = 0; arm < score.length; arm++) {
      if (isTied(arm, score, isEligible, greatest)) {
        propensities[arm] = isDrawn ? 1.0 / tied : 0;
        chosen = skip-- == 0 ? arm : chosen;
      }
    }
    if (chosen < 0) {
      throw new IllegalArgumentException("no arm is eligible, or a score is not a number");
    }
    propensities[chosen] = isDrawn ? propensities[chosen] : 1;
    PropensityKind kind = isDrawn ? PropensityKind.EXACT : PropensityKind.DETERMINISTIC;
    return new Pick(chosen, propensities, kind);
  }

  static double greatest(double[] score, boolean[] isEligible) {
    double greatest = Double.NEGATIVE_INFINITY;
    for (int arm = 0; arm < score.length; arm++) {
      if (isEligible[arm]) {
        greatest = Math.max(greatest, score[arm]);
      }
    }
    return greatest;
  }

  private static boolean isTied(int arm, double[] score, boolean[] isEligible, double greatest) {
    return isEligible[arm] && score[arm] >= greatest - Scan.TIE;
  }
}
