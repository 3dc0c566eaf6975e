package io.equipoise.offline.decompose;

/** Quantiles of the normal distribution. */
final class NormalQuantile {
  private static final double FURTHEST = 8;

  private NormalQuantile() {}

  /** Returns z with P(|Z| > z) = delta, for delta from 1e-12; exact to 1e-4 of delta. */
  static double ofTwoSides(double delta) {
    double low = 0;
    double high = FURTHEST;
    for (double z = FURTHEST / 2; z > low && z < high; z = (low + high) / 2) {
      if (1 - 2 * toTheMiddle(z) > delta) {
        low = z;
      } else {
        high = z;
      }
    }
    return (low + high) / 2;
  }

  /** P(0 < Z < z): density times z + z^3/3 + z^5/(3 5) + ... */
  private static double toTheMiddle(double z) {
    double term = z;
    double sum = 0;
    for (int k = 3; sum + term > sum; k += 2) {
      sum += term;
      term *= z * z / k;
    }
    return sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }
}
