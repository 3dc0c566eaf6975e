package io.equipoise.causal.bounds;

import io.equipoise.causal.DistributionException;
import io.equipoise.causal.estimand.CellRule;
import io.equipoise.causal.estimand.Estimate;
import org.apache.commons.math3.special.Beta;

/** Computes the exact confidence interval of a proportion (Clopper and Pearson 1934). */
public final class ClopperPearson {
  private static final int HALVINGS = 60;

  private ClopperPearson() {}

  /**
   * Returns the interval at two-sided error {@code alpha}; [0, 1] without rows. Cells must be
   * counts.
   */
  public static CellRule rule(double alpha) {
    return cell -> {
      double hits = cell.hits();
      double rows = cell.rows();
      if (hits != Math.rint(hits) || rows != Math.rint(rows)) {
        throw new DistributionException(
            "confidence needs counts, but "
                + cell.probability()
                + " has "
                + hits
                + " of "
                + rows
                + " rows; for weights ask for no correction");
      }
      return rows == 0
          ? Estimate.VACUOUS
          : new Estimate(lower(hits, rows, alpha), upper(hits, rows, alpha), rows);
    };
  }

  /** Returns the smallest proportion for which at least so many hits have probability alpha / 2. */
  public static double lower(double hits, double rows, double alpha) {
    return hits == 0 ? 0 : quantile(alpha / 2, hits, rows - hits + 1, true);
  }

  /** Returns the largest proportion for which at most so many hits have probability alpha / 2. */
  public static double upper(double hits, double rows, double alpha) {
    return hits == rows ? 1 : quantile(1 - alpha / 2, hits + 1, rows - hits, false);
  }

  /** Bisects the beta distribution function, and rounds outward. */
  private static double quantile(double p, double a, double b, boolean isLower) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (Beta.regularizedBeta(middle, a, b) < p) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return isLower ? low : high;
  }
}
