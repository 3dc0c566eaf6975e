package io.equipoise.evidence;

/**
 * Holds evidence about the running mean of outcomes in [0, 1] of one group: logarithms of {@value
 * BetMixture#COUNT} e-values, each of which is one whatever the others are.
 */
public interface MeanEvidence {
  /** Returns the number of outcomes, missing ones included. */
  long rows();

  /** Returns the evidence that the running mean exceeds x; it decreases in x. */
  double[] above(double x);

  /** Returns the evidence that the running mean is below x; it increases in x. */
  double[] below(double x);
}
