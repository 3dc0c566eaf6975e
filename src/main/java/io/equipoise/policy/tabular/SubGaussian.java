package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;

/**
 * Computes the two-sided normal-mixture boundary of Howard, Ramdas, McAuliffe and Sekhon 2021, eq.
 * 14 (docs/math/cells.md#time-uniform-intervals): for rewards that are sub-Gaussian with a known
 * scale given their cell,
 *
 * <pre>P(exists n: |S_n| &gt;= sqrt((V_n + rho) log((V_n + rho) / (alpha^2 rho)))) &lt;= alpha
 * </pre>
 *
 * with S_n the centered sum and V_n = n scale^2. It holds at all n at once; time does not enter.
 * With alpha = delta / cells it holds at once for all cells of a model at delta.
 */
public final class SubGaussian implements ConfidenceSequence {
  /** The number of observations at which rho makes the boundary tightest. */
  private static final double TIGHTEST_AT = 500;

  private static final int FEW = 1 << 12;

  private final double low;
  private final double high;
  private final double scale;
  private final double rho;
  private final double logOneOverAlphaSquared;

  /** Radii by number of observations: a logarithm for every cell costs as much as a choice. */
  private final double[] few = new double[FEW];

  /** Limits means in [low, high] so that one cell is ever wrong with probability at most alpha. */
  public SubGaussian(double low, double high, double scale, double alpha) {
    this.low = low;
    this.high = high;
    this.scale = scale;
    logOneOverAlphaSquared = -2 * StrictMath.log(alpha);
    // Howard et al. 2021, section 3.5: the minimizer of the boundary at V = TIGHTEST_AT, in
    // units of scale^2, by the expansion of Lambert's W_{-1}.
    rho = TIGHTEST_AT / (logOneOverAlphaSquared + StrictMath.log(1 + logOneOverAlphaSquared));
    for (int n = 0; n < FEW; n++) {
      few[n] = radius((double) n);
    }
  }

  @Override
  public double low() {
    return low;
  }

  @Override
  public double high() {
    return high;
  }

  @Override
  public AuditGuarantee guarantee() {
    return AuditGuarantee.ANYTIME;
  }

  @Override
  public void limit(CellBlock block, int cell, long t, double[] ends) {
    double radius = radius(block.n(cell));
    ends[0] = block.mean(cell) - radius;
    ends[1] = block.mean(cell) + radius;
  }

  /** Returns half the length of the interval of a cell with so many observations. */
  double radius(long n) {
    return n < few.length ? few[(int) n] : radius((double) n);
  }

  private double radius(double n) {
    double mixed = n + rho;
    return scale / n * Math.sqrt(mixed * (StrictMath.log(mixed / rho) + logOneOverAlphaSquared));
  }
}
