package io.equipoise.policy.linear;

import io.equipoise.policy.kernel.Kernels;

/** Scratch for learning in one dimension, so that learning allocates nothing. For one thread. */
public final class RidgeWorkspace {
  final double[] y;
  final double[] residual;
  final FeatureVector oldest;
  final double[] oldestValues;
  final Cholesky cholesky;

  public RidgeWorkspace(int dimension) {
    y = new double[Kernels.padded(dimension)];
    residual = new double[Kernels.padded(dimension)];
    oldest = new FeatureVector(dimension);
    oldestValues = new double[dimension];
    cholesky = new Cholesky(dimension);
  }
}
