package io.equipoise.causal.bounds;

/**
 * Computes the maximum distance of the mean of n independent numbers in [0, 1] from their
 * expectation, given their sample variance V (Maurer and Pontil 2009, Theorem 4), at one-sided
 * error delta:
 *
 * <pre>
 * sqrt(2 V ln(2 / delta) / n) + 7 ln(2 / delta) / (3 (n - 1))
 * </pre>
 */
public final class EmpiricalBernstein {
  private EmpiricalBernstein() {}

  /**
   * Returns the half-width of the interval at a two-sided error.
   *
   * @param n numbers; 1 for fewer than 2
   * @param meanSquare the mean of their squares
   */
  public static double reach(double n, double mean, double meanSquare, double alpha) {
    if (n < 2) {
      return 1;
    }
    double greatest = mean * (1 - mean);
    double spread = meanSquare - mean * mean;
    double variance = (spread >= 0 ? Math.min(spread, greatest) : greatest) * n / (n - 1);
    double logs = StrictMath.log(4 / alpha);
    return Math.sqrt(2 * Math.max(0, variance) * logs / n) + 7 * logs / (3 * (n - 1));
  }
}
