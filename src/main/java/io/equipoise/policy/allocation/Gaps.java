package io.equipoise.policy.allocation;

import java.util.BitSet;
import java.util.List;

/**
 * What the estimates say of each row: clipped mean, gap to the best kept row of its context, and
 * which rows are best and kept. Gaps above 0 are at least what can be resolved. Of a context with a
 * row outside of the span of what was pulled nothing is said: none of its rows is best or kept.
 */
final class Gaps {
  final double[] mean;
  final double[] gap;
  final BitSet best = new BitSet();
  final BitSet kept = new BitSet();

  /** The least gap above 0; infinite if there is none. */
  double least = Double.POSITIVE_INFINITY;

  private Gaps(int rows) {
    mean = new double[rows];
    gap = new double[rows];
  }

  static Gaps of(OamTable table, OamStatistics statistics, OamBounds oamBounds, double resolution) {
    Gaps gaps = new Gaps(table.size());
    for (int row = 0; row < table.size(); row++) {
      gaps.mean[row] = oamBounds.clipped(row, statistics.mean(table.x(row)));
    }
    List<double[]> span = statistics.isSpanned() ? List.of() : table.span(statistics.pulls);
    for (int context = 0; context < table.contexts(); context++) {
      if (statistics.isSpanned() || isWithin(table, span, context)) {
        gaps.fill(table, context, oamBounds, resolution);
      }
    }
    return gaps;
  }

  private static boolean isWithin(OamTable table, List<double[]> span, int context) {
    for (int arm = 0; arm < table.arms(); arm++) {
      if (table.enlarges(span, table.row(context, arm))) {
        return false;
      }
    }
    return true;
  }

  private void fill(OamTable table, int context, OamBounds oamBounds, double resolution) {
    int top = table.row(context, 0);
    for (int arm = 1; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      top = mean[row] > mean[top] ? row : top;
    }
    for (int arm = 0; arm < table.arms(); arm++) {
      int row = table.row(context, arm);
      if (oamBounds.upper(row) >= mean[top]) {
        kept.set(row);
      }
      double distance = mean[top] - mean[row];
      gap[row] = distance > 0 ? Math.max(distance, resolution) : 0;
      if (gap[row] == 0) {
        best.set(row);
      } else {
        least = Math.min(least, gap[row]);
      }
    }
  }
}
