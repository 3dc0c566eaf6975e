package io.equipoise.evidence;

/**
 * Counts the outcomes of a group. From these three numbers alone follows evidence about the running
 * mean, whatever its drift (docs/math/watch.md#counts).
 *
 * @param rows outcomes, missing ones included
 * @param sum of the known outcomes, each in [0, 1]
 * @param missing outcomes; they count as 0 above and as 1 below
 */
public record GroupCounts(long rows, double sum, long missing) implements MeanEvidence {
  public static final GroupCounts NONE = new GroupCounts(0, 0, 0);

  private static final double[] TILTS = new double[BetMixture.COUNT];
  private static final double[] UP = new double[BetMixture.COUNT];
  private static final double[] DOWN = new double[BetMixture.COUNT];

  static {
    for (int j = 0; j < BetMixture.COUNT; j++) {
      TILTS[j] = j == BetMixture.COUNT - 1 ? 0 : 2.0 / (1 << j);
      UP[j] = StrictMath.expm1(TILTS[j]);
      DOWN[j] = StrictMath.expm1(-TILTS[j]);
    }
  }

  /**
   * Returns the counts with one more outcome.
   *
   * @param outcome in [0, 1]; NaN if it is missing
   */
  public GroupCounts plus(double outcome) {
    boolean isMissing = Double.isNaN(outcome);
    return new GroupCounts(
        rows + 1, isMissing ? sum : sum + outcome, isMissing ? missing + 1 : missing);
  }

  public GroupCounts plus(GroupCounts other) {
    return new GroupCounts(rows + other.rows, sum + other.sum, missing + other.missing);
  }

  public GroupCounts minus(GroupCounts part) {
    return new GroupCounts(rows - part.rows, sum - part.sum, missing - part.missing);
  }

  @Override
  public double[] above(double x) {
    return logs(1, sum, UP, x);
  }

  @Override
  public double[] below(double x) {
    return logs(-1, sum + missing, DOWN, x);
  }

  private double[] logs(int sign, double total, double[] factors, double x) {
    double[] logs = new double[TILTS.length];
    for (int j = 0; j < logs.length; j++) {
      logs[j] = sign * TILTS[j] * total - rows * StrictMath.log1p(x * factors[j]);
    }
    return logs;
  }
}
