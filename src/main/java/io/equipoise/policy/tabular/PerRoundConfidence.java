package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;

/**
 * Computes the bonus of Huang et al. 2022, eq. 6, as a confidence radius: scale * sqrt(2 L_t / N)
 * with L_t = log(1/delta_t), delta_t = 1/t^2. For replications: it is a statement about one round
 * and one cell, and only if the scale is at least the sub-Gaussian scale of a reward given its
 * cell.
 */
public record PerRoundConfidence(double low, double high, double scale)
    implements ConfidenceSequence {
  /** Returns L_t = 2 ln max(t, 2); the paper's L_1 would be 0. */
  public static double logTerm(long t) {
    return 2 * StrictMath.log((double) Math.max(t, 2));
  }

  @Override
  public AuditGuarantee guarantee() {
    return AuditGuarantee.PER_ROUND;
  }

  @Override
  public void limit(CellBlock block, int cell, long t, double[] ends) {
    double radius = radius(block.n(cell), t);
    ends[0] = block.mean(cell) - radius;
    ends[1] = block.mean(cell) + radius;
  }

  /** Returns half the length of the interval of a cell with n observations in round t. */
  double radius(long n, long t) {
    return scale * Math.sqrt(2 * logTerm(t) / n);
  }
}
