package io.equipoise.evidence;

import java.util.function.DoubleUnaryOperator;

/**
 * Computes the evidence that the running means of two groups differ by more than a tolerance
 * (docs/math/watch.md#gap). The evidence multiplies that of the two groups, mixed by weights that
 * favor equal places, and takes the least over all pairs of means within the tolerance.
 */
public final class GapEvidence {
  private static final double GOLDEN = 0.6180339887498949;
  private static final int STEPS = 60;
  private static final double[][] WEIGHTS = new double[BetMixture.COUNT][BetMixture.COUNT];

  static {
    double total = 0;
    for (int i = 0; i < BetMixture.COUNT; i++) {
      for (int j = 0; j < BetMixture.COUNT; j++) {
        int apart = 1 + Math.abs(i - j);
        WEIGHTS[i][j] = 1.0 / (apart * apart);
        total += WEIGHTS[i][j];
      }
    }
    for (double[] row : WEIGHTS) {
      for (int j = 0; j < row.length; j++) {
        row[j] /= total;
      }
    }
  }

  private GapEvidence() {}

  /**
   * Returns the logarithm of an e-value against mean(a) - mean(b) &lt;= tolerance; 0 if one of them
   * has no outcome.
   *
   * @param tolerance in [-1, 1]
   */
  public static double of(MeanEvidence a, MeanEvidence b, double tolerance) {
    return a.rows() == 0 || b.rows() == 0
        ? 0
        : least(
            m -> pair(a.above(m + tolerance), b.below(m)),
            Math.max(0, -tolerance),
            Math.min(1, 1 - tolerance));
  }

  /**
   * Returns the logarithm of an e-value against mean(a) - mean(b) being within limits.
   *
   * @param limits in [-1, 1]
   */
  public static double twoSided(MeanEvidence a, MeanEvidence b, Ends limits) {
    return LogMeanExp.of(of(a, b, limits.high()), of(b, a, -limits.low()));
  }

  /**
   * Returns a number that {@link #twoSided} does not exceed and is mostly near; costs a sixtieth.
   */
  static double twoSidedAtMost(GroupCounts a, GroupCounts b, Ends limits) {
    return LogMeanExp.of(atMost(a, b, limits.high()), atMost(b, a, -limits.low()));
  }

  private static double atMost(GroupCounts a, GroupCounts b, double tolerance) {
    if (a.rows() == 0 || b.rows() == 0) {
      return 0;
    }
    double common = a.sum() + b.sum() + b.missing() - a.rows() * tolerance;
    double m =
        Math.max(
            Math.max(0, -tolerance),
            Math.min(Math.min(1, 1 - tolerance), common / (a.rows() + b.rows())));
    return pair(a.above(m + tolerance), b.below(m));
  }

  /**
   * Returns an end that mean(a) - mean(b) falls below, at any row ever, with at most a probability
   * of {@code level}; -1 if there is none.
   */
  public static double lower(MeanEvidence a, MeanEvidence b, double level) {
    double threshold = StrictMath.log(1 / level);
    return Ends.lower(x -> of(a, b, x) >= threshold, -1, 1, STEPS);
  }

  /** Returns ln of the sum of WEIGHTS[i][j] exp(a[i] + b[j]). */
  private static double pair(double[] a, double[] b) {
    double most = 0;
    for (double[] side : new double[][] {a, b}) {
      double greatest = Double.NEGATIVE_INFINITY;
      for (double log : side) {
        greatest = Math.max(greatest, log);
      }
      for (int i = 0; i < side.length; i++) {
        side[i] = StrictMath.exp(side[i] - greatest);
      }
      most += greatest;
    }
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      double of = 0;
      for (int j = 0; j < b.length; j++) {
        of += WEIGHTS[i][j] * b[j];
      }
      sum += a[i] * of;
    }
    return most + StrictMath.log(sum);
  }

  /** Returns the least value of a convex function, by golden section. */
  private static double least(DoubleUnaryOperator f, double from, double to) {
    double low = from;
    double high = to;
    double x1 = high - GOLDEN * (high - low);
    double x2 = low + GOLDEN * (high - low);
    double f1 = f.applyAsDouble(x1);
    double f2 = f.applyAsDouble(x2);
    for (int step = 0; step < STEPS; step++) {
      if (f1 <= f2) {
        high = x2;
        x2 = x1;
        f2 = f1;
        x1 = high - GOLDEN * (high - low);
        f1 = f.applyAsDouble(x1);
      } else {
        low = x1;
        x1 = x2;
        f1 = f2;
        x2 = low + GOLDEN * (high - low);
        f2 = f.applyAsDouble(x2);
      }
    }
    return Math.min(f1, f2);
  }
}
