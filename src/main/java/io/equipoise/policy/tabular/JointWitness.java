package io.equipoise.policy.tabular;

import io.equipoise.policy.kernel.Logarithm;
import io.equipoise.policy.tabular.JointRegion.Cell;

/**
 * A point that showed on which side of a threshold an end of a {@link JointRegion} is. It often
 * still shows it after more rewards, also of other cells, and that costs no logarithm. Immutable.
 *
 * <p>If the point is in both regions, the end is no less than its value: it is above. Else, for any
 * multiplier t, h'' &gt;= n bounds the dual of the Beta region at all means:
 *
 * <pre>
 * end &lt;= t ln(2/alpha) + sum_i [c mu - t h(mu) + (c - t h'(mu))^2 / (2 t n)]
 * </pre>
 *
 * @param t multiplier
 * @param mu by cell; NaN where the end does not depend on its mean
 * @param logMu ln mu
 * @param logRest ln (1 - mu)
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record JointWitness(double t, double[] mu, double[] logMu, double[] logRest) {
  /** Nothing is decided closer to a threshold than this: the search might decide otherwise. */
  private static final double MARGIN = 1e-7;

  /** Digits that the sum of so many rewards may lose. */
  private static final double ROUNDING = 1e-12;

  /** A mean closer to 0 or 1 than this has no logarithm that is worth keeping. */
  private static final double NEAR_END = 1e-9;

  /** Takes means that are in (0, 1) wherever a mean counts. */
  static JointWitness of(double t, double[] mu) {
    double[] logMu = new double[mu.length];
    double[] logRest = new double[mu.length];
    for (int i = 0; i < mu.length; i++) {
      boolean isInside = mu[i] > NEAR_END && mu[i] < 1 - NEAR_END;
      mu[i] = isInside ? mu[i] : Double.NaN;
      logMu[i] = isInside ? Logarithm.of(mu[i]) : 0;
      logRest[i] = isInside ? Logarithm.of(1 - mu[i]) : 0;
    }
    return new JointWitness(t, mu, logMu, logRest);
  }

  /**
   * Returns a number on the same side of a threshold as the end of sign * sum c_i mu_i, or NaN if
   * this point does not show the side.
   *
   * @param limit ln(2/alpha)
   */
  double shown(int sign, double[] c, Cell[] cells, int count, double limit, double threshold) {
    if (count != mu.length) {
      return Double.NaN;
    }
    double value = 0;
    double level = 0;
    double rest = 0;
    double rewards = 0;
    double gauss = 0;
    double room = limit;
    for (int i = 0; i < count; i++) {
      Cell cell = cells[i];
      double own = sign * c[i];
      if (cell.isUnseen()) {
        value += Math.max(0, own);
      } else if (own == 0) {
        level += cell.least();
        room += cell.budget();
      } else {
        double s = cell.s();
        double f = cell.rest();
        double at = mu[i];
        double off = own - t * (f / (1 - at) - s / at);
        double moved = at - cell.mean();
        value += own * at;
        gauss += moved * moved / cell.variance();
        room += cell.budget();
        level += cell.logBeta() - s * logMu[i] - f * logRest[i];
        rest += off * off / cell.n();
        rewards += cell.n();
      }
    }
    double rounding = ROUNDING * rewards;
    boolean isInside = level + rounding <= limit && gauss <= room;
    if (isInside && value > threshold + MARGIN) {
      return value;
    }
    double most = value + t * (limit - level + rounding) + rest / (2 * t);
    return most <= threshold - MARGIN ? most : Double.NaN;
  }
}
