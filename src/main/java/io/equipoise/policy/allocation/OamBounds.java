package io.equipoise.policy.allocation;

import java.util.Arrays;

/** Holds causal bounds of the mean reward of each row; without any, from minus to plus infinity. */
public final class OamBounds {
  private final double[] lower;
  private final double[] upper;

  private OamBounds(double[] lower, double[] upper) {
    this.lower = lower;
    this.upper = upper;
  }

  /** Returns bounds that say nothing. */
  public static OamBounds none(OamTable table) {
    double[] lower = new double[table.size()];
    double[] upper = new double[table.size()];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    return new OamBounds(lower, upper);
  }

  /** Takes L and U by row. */
  public static OamBounds of(OamTable table, double[] lower, double[] upper) {
    if (lower.length != table.size() || upper.length != table.size()) {
      throw new IllegalArgumentException(
          lower.length + " and " + upper.length + " bounds for " + table.size() + " rows");
    }
    for (int row = 0; row < lower.length; row++) {
      if (!(lower[row] <= upper[row])) {
        throw new IllegalArgumentException(
            "row " + row + " is bounded by [" + lower[row] + ", " + upper[row] + "]");
      }
    }
    return new OamBounds(lower.clone(), upper.clone());
  }

  double upper(int row) {
    return upper[row];
  }

  double clipped(int row, double value) {
    return Math.max(lower[row], Math.min(upper[row], value));
  }
}
