package io.equipoise.policy.logistic;

/**
 * Models rewards by logistic regression: learns from factual rows (x, y), and computes mean,
 * optimistic value and counterfactual effect with its interval.
 *
 * <p>Counterfactual vectors are asked about and never learned.
 */
public interface LogisticModel {
  LogisticScale scale();

  /** Returns how many rewards were learned. */
  long rewards();

  /**
   * Learns one reward of a candidate with features x.
   *
   * @throws IllegalArgumentException if y is neither 0 nor 1, or x no feature vector (see {@link
   *     LogisticScale#check}); nothing has changed then
   */
  void learn(double[] x, double y);

  /** Returns what was learned; valid until the next reward. */
  ParameterEstimate estimate();

  /** Returns x . theta at its greatest over the confidence set, for each candidate on its own. */
  double[] optimistic(double[][] candidates, ConfidenceRadius radius);

  /**
   * Returns the parameter of the confidence set, and the candidate, with the greatest x . theta
   * (Chen, Tian and Quinn 2025, Algorithm 1).
   *
   * @param start where the scan of candidates begins, so that it decides ties
   */
  JointOptimum jointOptimum(double[][] candidates, int start, ConfidenceRadius radius);

  /**
   * An optimistic parameter.
   *
   * @param candidate for which it is
   * @param value greatest x . theta over the confidence set
   * @param theta where in the set, length n; the record owns the array
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, compared by nobody
  record JointOptimum(int candidate, double value, double[] theta) {}

  LogisticModel copy();
}
