package io.equipoise.policy.bestarm;

/**
 * Sums over one channel's samples for one target arm, without a clip, by sampled arm. Here w is a
 * sample's weight, f its factor (1 for a channel without one) and y its reward.
 *
 * @param n how many samples
 * @param sum of w y
 * @param cross sum of f w y
 * @param squares sum of w^2 y, which is at least that of (w y)^2
 * @param factors sum of f
 * @param factorSquares sum of f^2
 */
@SuppressWarnings("ArrayRecordComponent") // handed from sums to intervals, compared by nobody
record Moments(
    long[] n,
    double[] sum,
    double[] cross,
    double[] squares,
    double[] factors,
    double[] factorSquares) {
  static Moments blank(int arms) {
    return new Moments(
        new long[arms],
        new double[arms],
        new double[arms],
        new double[arms],
        new double[arms],
        new double[arms]);
  }

  void addSamples(int sampled, long count, double factor) {
    n[sampled] += count;
    factors[sampled] += count * factor;
    factorSquares[sampled] += count * factor * factor;
  }

  /** Adds rewards of one factor and weight. */
  void addRewards(int sampled, double reward, double factor, double weight) {
    sum[sampled] += reward * weight;
    cross[sampled] += reward * factor * weight;
    squares[sampled] += reward * weight * weight;
  }

  /** Returns the sum of X = w y - c f. */
  double total(int sampled, double center) {
    return sum[sampled] - center * factors[sampled];
  }

  /** Returns at least the sum of X^2. */
  double totalSquares(int sampled, double center) {
    return squares[sampled]
        - 2 * center * cross[sampled]
        + center * center * factorSquares[sampled];
  }
}
