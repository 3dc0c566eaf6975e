package io.equipoise.policy.logistic;

/**
 * Solves one implicit Newton step: z = z0 - q (g(z) - y), where z is x . theta after the step, z0
 * before it, and q = x' H^-1 x (docs/math/logistic.md#the-streaming-model).
 */
final class ImplicitStep {
  private static final double PRECISION = 1e-12;
  private static final int STEPS = 200;

  private ImplicitStep() {}

  /**
   * Returns z. The root lies in [z0 - q, z0 + q], for g(z) - y is in [-1, 1]. Newton's method;
   * where an iterate leaves what is left of that bracket, or a step is not at most half of the one
   * before it, the bracket is bisected. (Newton alone may cycle from q = 4 on, where g is flat on
   * one side of the root and steep on the other.)
   */
  static double solve(double z0, double q, double y) {
    double low = z0 - q;
    double high = z0 + q;
    double z = z0;
    double moved = Double.POSITIVE_INFINITY;
    for (int step = 0; step < STEPS && moved >= PRECISION; step++) {
      double h = z - z0 + q * (Logistic.mean(z) - y);
      if (h > 0) {
        high = Math.min(high, z);
      } else {
        low = Math.max(low, z);
      }
      double next = z - h / (1 + q * Logistic.slope(z));
      boolean isSlow = 2 * Math.abs(next - z) > moved;
      if (isSlow || !(next >= low && next <= high)) {
        next = low + (high - low) / 2;
      }
      moved = Math.abs(next - z);
      z = next;
    }
    return z;
  }
}
