package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;

/**
 * The predictable plug-in empirical-Bernstein sequence of Waudby-Smith and Ramdas 2024, Theorem 2,
 * for rewards in a known range. With x the reward scaled to [0, 1] and, before the i-th of a cell,
 *
 * <pre>
 * mu_i      = (1/2 + sum x) / i                           (all but the i-th, and 1/2)
 * sigma_i^2 = (1/4 + sum (x_j - mu_{j+1})^2) / i
 * lambda_i  = min(sqrt(2 log(2/alpha) / (sigma_i^2 i log(1 + i))), 1/2)
 * v_i       = 4 (x_i - mu_i)^2,  psi(lambda) = (-log(1 - lambda) - lambda) / 4
 * </pre>
 *
 * <p>the interval is (sum lambda x +- (log(2/alpha) + sum v psi)) / sum lambda. It holds at all n
 * at once. The lambdas are predictable for any alpha, so sums made under one delta stay valid under
 * another; only their sharpness is tuned to the old one.
 */
public final class EmpiricalBernsteinSequence implements ConfidenceSequence {
  private static final double LARGEST_LAMBDA = 0.5;
  private static final int SQUARES = 0;
  private static final int LAMBDA = 1;
  private static final int LAMBDA_X = 2;
  private static final int V_PSI = 3;

  private final double low;
  private final double high;
  private final double logTwoOverAlpha;

  /** Limits means in [low, high] so that one cell is ever wrong with probability at most alpha. */
  public EmpiricalBernsteinSequence(double low, double high, double alpha) {
    this.low = low;
    this.high = high;
    logTwoOverAlpha = StrictMath.log(2 / alpha);
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
  public boolean needsSums() {
    return true;
  }

  @Override
  public void observe(CellBlock block, int cell, double reward) {
    double x = (reward - low) / (high - low);
    double i = block.n(cell) + 1.0;
    double before = plugInMean(block, cell);
    double variance = (0.25 + block.sum(cell, SQUARES)) / i;
    double lambda =
        Math.min(
            Math.sqrt(2 * logTwoOverAlpha / (variance * i * StrictMath.log(1 + i))),
            LARGEST_LAMBDA);
    double psi = (-StrictMath.log(1 - lambda) - lambda) / 4;
    block.addToSum(cell, LAMBDA, lambda);
    block.addToSum(cell, LAMBDA_X, lambda * x);
    block.addToSum(cell, V_PSI, 4 * (x - before) * (x - before) * psi);
    block.observe(cell, reward);
    double after = x - plugInMean(block, cell);
    block.addToSum(cell, SQUARES, after * after);
  }

  /** Returns (1/2 + sum x) / (n + 1). */
  private double plugInMean(CellBlock block, int cell) {
    double n = block.n(cell);
    double sum = n == 0 ? 0 : n * (block.mean(cell) - low) / (high - low);
    return (0.5 + sum) / (n + 1);
  }

  @Override
  public double center(CellBlock block, int cell) {
    return low + (high - low) * (block.sum(cell, LAMBDA_X) / block.sum(cell, LAMBDA));
  }

  @Override
  public double radius(CellBlock block, int cell, long t) {
    double scaled = (logTwoOverAlpha + block.sum(cell, V_PSI)) / block.sum(cell, LAMBDA);
    return (high - low) * scaled;
  }
}
