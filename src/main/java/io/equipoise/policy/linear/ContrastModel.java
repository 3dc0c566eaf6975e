package io.equipoise.policy.linear;

import io.equipoise.policy.kernel.Kernels;

/**
 * Provides to a contrast what it needs of its model, a regression with coefficients theta and
 * curvature A, its ridge included: least squares, or the likelihood of a mean g(theta'x). Vectors
 * have one element a feature, in arrays padded by zeros.
 */
public interface ContrastModel {
  /** Sets out = A^-1 x. */
  void solve(FeatureVector x, double[] out);

  double theta(int feature);

  /** Returns theta'x. */
  double mean(FeatureVector x);

  /** Returns theta'x of a dense x. */
  double mean(double[] x);

  /** Returns x'A^-1x, at least 0. */
  double squaredWidth(FeatureVector x);

  /** Returns x'A^-1x of a dense x, at least 0. */
  double squaredWidth(double[] x);

  /** Returns log(det A / lambda^dim). */
  double logDeterminant();

  /** Returns the ridge that the model started with. */
  double lambda();

  /** Returns the ridge that A holds now: less than at the start where it was forgotten. */
  double ridge();

  /** Returns v'Rv of a dense v, where {@link #ridge} times R is the part of A that no data gave. */
  default double ridgeNorm(double[] v) {
    return Kernels.dot(v, v);
  }

  /** Returns what the coefficients of features that left add to |theta|^2. */
  default double squaresOfLeft() {
    return 0;
  }

  /**
   * Returns the mean reward g(z) that the model expects.
   *
   * @param z theta'x
   */
  default double response(double z) {
    return z;
  }

  /** Returns g'(z), the information of a reward about theta'x. */
  default double slope(double z) {
    return 1;
  }

  /**
   * Returns what a reward says of g'(z) theta'x once g is taken for its tangent at z: r - g(z) +
   * g'(z) z.
   */
  default double linearized(double reward, double z) {
    return reward;
  }
}
