package io.equipoise.bandit.logistic;

/**
 * Solves one implicit Newton step: z = z0 - q (g(z) - y), where z is x . theta after the step, z0
 * before it, and q = x' H^-1 x (specification of the logistic policies, section 4.1).
 */
final class ImplicitStep {
  private static final double PRECISION = 1e-12;
  private static final int STEPS = 40;

  private ImplicitStep() {}

  /**
   * Returns z. The root lies in [z0 - q, z0 + q], for g(z) - y is in [-1, 1]; where an iterate of
   * Newton's method leaves what is left of that bracket, it is bisected.
   */
  static double solve(double z0, double q, double y) {
    double low = z0 - q;
    double high = z0 + q;
    double z = z0;
    for (int step = 0; step < STEPS; step++) {
      double h = z - z0 + q * (Logistic.mean(z) - y);
      if (h > 0) {
        high = Math.min(high, z);
      } else {
        low = Math.max(low, z);
      }
      double next = z - h / (1 + q * Logistic.slope(z));
      if (!(next >= low && next <= high)) {
        next = low + (high - low) / 2;
      }
      double moved = Math.abs(next - z);
      z = next;
      if (moved < PRECISION) {
        break;
      }
    }
    return z;
  }
}
