package io.equipoise.policy.logistic;

/** Computes the logistic function g(z) = 1 / (1 + e^-z) and its kin, without overflow at any z. */
public final class Logistic {
  /** The greatest absolute difference of {@link #near} and {@link #mean}. */
  static final double NEAR = 2e-5;

  private static final int PLACES_PER_UNIT = 32;

  /** Beyond it g is 0 or 1 to far more than {@link #NEAR}. */
  private static final int REACH = 16;

  private static final int LAST = 2 * REACH * PLACES_PER_UNIT;
  private static final double[] TABLE = new double[LAST + 2];

  static {
    for (int place = 0; place < TABLE.length; place++) {
      TABLE[place] = mean((double) place / PLACES_PER_UNIT - REACH);
    }
  }

  private Logistic() {}

  /** Returns g(z). */
  public static double mean(double z) {
    double e = StrictMath.exp(-Math.abs(z));
    return z >= 0 ? 1 / (1 + e) : e / (1 + e);
  }

  /** Returns about g(z), by linear interpolation: |g''| is below 0.1, so it errs by 1.2e-5. */
  static double near(double z) {
    double place = Math.max(0, Math.min(LAST, (z + REACH) * PLACES_PER_UNIT));
    int below = (int) place;
    return TABLE[below] + (place - below) * (TABLE[below + 1] - TABLE[below]);
  }

  /** Returns g(z) (1 - g(z)), the derivative of g. */
  public static double slope(double z) {
    double e = StrictMath.exp(-Math.abs(z));
    return e / ((1 + e) * (1 + e));
  }

  /** Returns log(1 + e^z). */
  public static double softplus(double z) {
    return Math.max(z, 0) + StrictMath.log1p(StrictMath.exp(-Math.abs(z)));
  }
}
