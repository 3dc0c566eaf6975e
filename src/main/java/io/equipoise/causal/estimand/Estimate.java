package io.equipoise.causal.estimand;

/**
 * An estimate of a nonnegative quantity: a point, or an interval.
 *
 * @param low minimum; NaN if there is none, see {@link #UNSUPPORTED}
 * @param high maximum; may be infinite
 * @param support the smallest number of rows that any of its probabilities was divided by
 */
public record Estimate(double low, double high, double support) {
  /** A conditional probability had no rows; every result that uses it has no value. */
  public static final Estimate UNSUPPORTED = new Estimate(Double.NaN, Double.NaN, 0);

  /** Any probability. */
  public static final Estimate VACUOUS = new Estimate(0, 1, 0);

  static final Estimate ZERO = new Estimate(0, 0, Double.POSITIVE_INFINITY);
  static final Estimate ONE = new Estimate(1, 1, Double.POSITIVE_INFINITY);

  public boolean isSupported() {
    return !Double.isNaN(low);
  }

  public Estimate plus(Estimate other) {
    return new Estimate(low + other.low, high + other.high, Math.min(support, other.support));
  }

  public Estimate times(Estimate other) {
    return new Estimate(
        product(low, other.low), product(high, other.high), Math.min(support, other.support));
  }

  /** Returns the quotient; {@link #UNSUPPORTED} if the divisor must be 0. */
  public Estimate over(Estimate divisor) {
    if (!isSupported() || !(divisor.high > 0)) {
      return UNSUPPORTED;
    }
    double least = divisor.high == Double.POSITIVE_INFINITY ? 0 : low / divisor.high;
    double greatest = divisor.low > 0 ? high / divisor.low : Double.POSITIVE_INFINITY;
    return new Estimate(least, greatest, Math.min(support, divisor.support));
  }

  /** Returns the estimate limited to [0, 1]. */
  public Estimate clipped() {
    return isSupported() ? new Estimate(clipped(low), clipped(high), support) : this;
  }

  private static double clipped(double value) {
    return Math.max(0, Math.min(1, value));
  }

  /** Zero times infinity is zero; NaN stays NaN. */
  private static double product(double one, double other) {
    boolean isNothing = one == 0 && other == Double.POSITIVE_INFINITY;
    return isNothing || (other == 0 && one == Double.POSITIVE_INFINITY) ? 0 : one * other;
  }
}
