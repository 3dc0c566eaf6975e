package io.equipoise.policy.constraint;

import org.ejml.data.DMatrixRMaj;

/**
 * Answers for a model with a parameter vector what it knows of directions: all that forced
 * exploration knows of it. Dimension n throughout.
 */
public interface Contrasts {
  /** Returns the inverse of the curvature, n x n; not to be changed. */
  DMatrixRMaj inverse();

  /** Returns the radius r of the confidence ellipsoid in the norm of the curvature. */
  double radius();

  double[] features(int candidate);

  /** Returns how much one observation of a candidate adds to the curvature along its features. */
  double weight(int candidate);

  /**
   * Returns the gradient of the effect that a constraint limits, of the alternative with the
   * greatest upper end.
   */
  double[] gradient(int candidate, int constraint);
}
