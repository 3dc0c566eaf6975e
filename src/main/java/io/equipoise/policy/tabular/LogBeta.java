package io.equipoise.policy.tabular;

import io.equipoise.policy.kernel.Logarithm;

/**
 * The logarithm of Euler's beta function, the same on every machine. Parameters below 10 are
 * shifted up by B(a, b) = B(a + 1, b) (a + b) / a; from there on Stirling's series is exact to
 * rounding. Its large terms are taken together, so that nothing is lost where a + b is large.
 */
final class LogBeta {
  private static final double SHIFTED = 10;
  private static final double HALF_LOG_TWO_PI = StrictMath.log(2 * Math.PI) / 2;

  /** Coefficients of 1/z, 1/z^3, ... in Stirling's series of ln Gamma(z). */
  private static final double[] STIRLING = {
    1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360_360
  };

  private LogBeta() {}

  /** Returns ln B(a, b) of two parameters above 0. */
  static double of(double a, double b) {
    double one = a;
    double other = b;
    double ratio = 1;
    while (one < SHIFTED) {
      ratio *= (one + other) / one;
      one++;
    }
    while (other < SHIFTED) {
      ratio *= (one + other) / other;
      other++;
    }
    double sum = one + other;
    double powers =
        (one - 0.5) * Logarithm.of(one / sum)
            + (other - 0.5) * Logarithm.of(other / sum)
            - Logarithm.of(sum) / 2;
    double series = stirling(one) + stirling(other) - stirling(sum);
    double shifted = powers + HALF_LOG_TWO_PI + series;
    return ratio == 1 ? shifted : shifted + Logarithm.of(ratio);
  }

  private static double stirling(double z) {
    double inverse = 1 / z;
    double square = inverse * inverse;
    double sum = 0;
    for (int i = STIRLING.length - 1; i >= 0; i--) {
      sum = sum * square + STIRLING[i];
    }
    return sum * inverse;
  }
}
