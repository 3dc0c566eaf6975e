package io.equipoise.evidence;

import java.util.Arrays;

/**
 * Computes the doubly robust scores of one decision, one for each rate of a {@link BetMixture}
 * (docs/math/watch.md#scores; Dudik, Langford and Li 2011).
 *
 * <p>The expectation of a score is at most the value of the policy, or its difference to the log's
 * policy, whatever the predictions q are and whichever arms the log cannot show. Predictions of
 * arms with large weights are cut, so that no score loses more than its rate can bear.
 *
 * <p>All arrays have one number for each arm.
 *
 * @param p propensities of the log
 * @param pi probabilities of the policy that is evaluated
 * @param q predicted rewards in [0, 1]
 * @param arm the logged one
 * @param reward in [0, 1]; NaN if it is missing
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record RowScores(double[] p, double[] pi, double[] q, int arm, double reward) {
  /** A logged propensity below counts as an arm that the log cannot show. */
  static final double LEAST_PROPENSITY = 1e-9;

  /** Returns the weight pi / p of the logged arm. */
  double weight() {
    return p[arm] < LEAST_PROPENSITY ? 0 : pi[arm] / p[arm];
  }

  double unsupported() {
    double mass = 0;
    for (int a = 0; a < p.length; a++) {
      mass += p[a] < LEAST_PROPENSITY ? pi[a] : 0;
    }
    return mass;
  }

  /**
   * Computes the scores.
   *
   * @param baseline 1 for the difference to the log's policy, 0 for the value
   * @param isUpper whether 1 - reward is scored, for the upper end
   */
  double[] scores(int baseline, boolean isUpper) {
    double[] scores = new double[BetMixture.COUNT];
    double known = isUpper ? 1 - reward : reward;
    double weight = weight();
    double worst = weight >= baseline ? 0 : 1;
    double r = Double.isNaN(reward) ? worst : known;
    for (int j = 0; j < scores.length; j++) {
      double cut = BetMixture.cut(j);
      boolean isCut = false;
      double direct = 0;
      double ofArm = 0;
      for (int a = 0; a < p.length; a++) {
        double predicted = isUpper ? 1 - q[a] : q[a];
        if (p[a] < LEAST_PROPENSITY) {
          predicted = 0;
        } else {
          double w = pi[a] / p[a];
          if (w * predicted > cut) {
            predicted = cut / w;
            isCut = true;
          }
        }
        direct += (pi[a] - baseline * p[a]) * predicted;
        ofArm = a == arm ? predicted : ofArm;
      }
      scores[j] = direct + (weight - baseline) * (r - ofArm);
      if (!isCut) { // cuts grow, so the scores of all later rates are the same
        Arrays.fill(scores, j, scores.length, scores[j]);
        return scores;
      }
    }
    return scores;
  }
}
