package io.equipoise.policy.logistic;

/** The logistic function g(z) = 1 / (1 + e^-z) and its kin, without overflow at any z. */
public final class Logistic {
  private Logistic() {}

  /** Returns g(z). */
  public static double mean(double z) {
    double e = StrictMath.exp(-Math.abs(z));
    return z >= 0 ? 1 / (1 + e) : e / (1 + e);
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
