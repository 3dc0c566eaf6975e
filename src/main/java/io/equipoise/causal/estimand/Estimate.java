package io.equipoise.causal.estimand;

/**
 * What data say about a quantity that is not negative: a point, or an interval.
 *
 * @param low the least value; NaN if there is none, see {@link #UNSUPPORTED}
 * @param high the greatest value; may be infinite
 * @param support the least number of rows that any probability in it was divided by
 */
public record Estimate(double low, double high, double support) {
  /** Somewhere a conditional probability had no row to go by; whatever uses it has no value. */
  public static final Estimate UNSUPPORTED = new Estimate(Double.NaN, Double.NaN, 0);

  /** Anything a probability can be. */
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

  /** Returns the quotient; {@link #UNSUPPORTED} if the divisor can only be 0. */
  public Estimate over(Estimate divisor) {
    if (!isSupported() || !(divisor.high > 0)) {
      return UNSUPPORTED;
    }
    double least = divisor.high == Double.POSITIVE_INFINITY ? 0 : low / divisor.high;
    double greatest = divisor.low > 0 ? high / divisor.low : Double.POSITIVE_INFINITY;
    return new Estimate(least, greatest, Math.min(support, divisor.support));
  }

  /** Returns the estimate within [0, 1]. */
  public Estimate clipped() {
    return isSupported() ? new Estimate(clipped(low), clipped(high), support) : this;
  }

  private static double clipped(double value) {
    return Math.max(0, Math.min(1, value));
  }

  /** Nothing times anything, however large, is nothing; but unknown stays unknown. */
  private static double product(double one, double other) {
    boolean isNothing = one == 0 && other == Double.POSITIVE_INFINITY;
    return isNothing || (other == 0 && one == Double.POSITIVE_INFINITY) ? 0 : one * other;
  }
}
