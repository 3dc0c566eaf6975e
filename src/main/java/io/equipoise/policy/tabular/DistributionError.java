package io.equipoise.policy.tabular;

import io.equipoise.causal.Cpt;
import io.equipoise.causal.HeldQuery;
import io.equipoise.policy.constraint.DeltaShares;
import java.util.List;

/**
 * Bounds how far tables that were estimated from counts are from the truth, all rows at once, but
 * with probability delta. For a row of k levels and n independent observations (Weissman,
 * Ordentlich, Seroussi, Verdu and Weinberger 2003, Theorem 2.1),
 *
 * <pre>P(|p^ - p|_1 &gt;= e) &lt;= (2^k - 2) exp(-n e^2 / 2)
 * </pre>
 *
 * so that with delta shared out among the rows e = sqrt(2 (log(2^k - 2) + log(rows / delta)) / n),
 * at most 2. Rows of exact tables are without error.
 *
 * <p>Here delta is the part of the first version of a model
 * (docs/math/weighted-sums.md#delta-over-versions); {@link #growth} turns errors into those of a
 * later one.
 */
final class DistributionError implements HeldQuery.RowError {
  static final double LARGEST = 2;

  private final double logRowsOverDelta;

  DistributionError(List<Cpt> tables, double delta) {
    long rows = 0;
    for (Cpt cpt : tables) {
      rows += cpt.isEstimated() ? cpt.table().length / cpt.child().size() : 0;
    }
    logRowsOverDelta = StrictMath.log(Math.max(1, rows) / (delta * DeltaShares.share(0, 1)));
  }

  /**
   * Returns by what an error grows at most, under tables that came after others: at a share smaller
   * by the factor s its square grows by log(1/s) in log(2^k - 2) + log(rows / delta), which is
   * least for two levels.
   *
   * @param changes how often the tables were replaced before
   */
  double growth(int changes) {
    double more = StrictMath.log(DeltaShares.share(0, 1) / DeltaShares.share(changes, 1));
    return Math.sqrt(1 + more / (StrictMath.log(2) + logRowsOverDelta));
  }

  @Override
  public double of(Cpt table, int row) {
    int levels = table.child().size();
    if (!table.isEstimated() || levels == 1) {
      return 0;
    }
    long n = table.observations(row);
    // log(2^k - 2) without 2^k, which has no double from k = 1024 on
    double logSubsets =
        levels * StrictMath.log(2) + StrictMath.log1p(-StrictMath.pow(2, 1 - levels));
    return n == 0 ? LARGEST : Math.min(LARGEST, Math.sqrt(2 * (logSubsets + logRowsOverDelta) / n));
  }
}
