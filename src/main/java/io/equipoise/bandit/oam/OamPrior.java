package io.equipoise.bandit.oam;

import java.util.Arrays;

/** Prior bounds of the mean reward of each row; without any, from minus to plus infinity. */
public final class OamPrior {
  private final double[] lower;
  private final double[] upper;

  private OamPrior(double[] lower, double[] upper) {
    this.lower = lower;
    this.upper = upper;
  }

  /** Returns bounds that say nothing. */
  public static OamPrior none(OamTable table) {
    double[] lower = new double[table.size()];
    double[] upper = new double[table.size()];
    Arrays.fill(lower, Double.NEGATIVE_INFINITY);
    Arrays.fill(upper, Double.POSITIVE_INFINITY);
    return new OamPrior(lower, upper);
  }

  /** Takes L and U by row. */
  public static OamPrior of(OamTable table, double[] lower, double[] upper) {
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
    return new OamPrior(lower.clone(), upper.clone());
  }

  double upper(int row) {
    return upper[row];
  }

  double clipped(int row, double value) {
    return Math.max(lower[row], Math.min(upper[row], value));
  }
}
