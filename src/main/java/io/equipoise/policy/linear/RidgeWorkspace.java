package io.equipoise.policy.linear;

import io.equipoise.policy.kernel.Kernels;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * Provides scratch for learning in one dimension, so that learning allocates nothing. For one
 * thread; nothing in it is valid after the call that used it.
 */
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

  /**
   * Factorizes A in one dimension by EJML's Cholesky decomposition, with its inverse and its
   * determinant. Belongs to one thread.
   */
  static final class Cholesky {
    private final int dimension;
    private final DMatrixRMaj full;
    private final DMatrixRMaj inverse;
    private final LinearSolverDense<DMatrixRMaj> solver;
    private final CholeskyDecomposition_F64<DMatrixRMaj> factors;

    Cholesky(int dimension) {
      this.dimension = dimension;
      full = new DMatrixRMaj(dimension, dimension);
      inverse = new DMatrixRMaj(dimension, dimension);
      solver = LinearSolverFactory_DDRM.chol(dimension);
      factors = DecompositionFactory_DDRM.chol(dimension, true);
    }

    /**
     * Puts (G + ridge I)^-1 into a {@link SymmetricMatrix} matrix.
     *
     * @return log det (G + ridge I), or NaN, and out unchanged, if it is not positive definite
     */
    double invert(double[] gram, double ridge, double[] out) {
      if (!factor(gram, ridge)) {
        return Double.NaN;
      }
      double logDeterminant = logDeterminant();
      unpack(gram, ridge);
      if (!solver.setA(full)) {
        return Double.NaN;
      }
      solver.invert(inverse);
      for (int i = 0; i < dimension; i++) {
        for (int j = 0; j <= i; j++) {
          SymmetricMatrix.set(out, dimension, i, j, inverse.data[i * dimension + j]);
        }
      }
      return logDeterminant;
    }

    /** Factors G + ridge I = LL'; returns false if it is not positive definite. */
    boolean factor(double[] gram, double ridge) {
      unpack(gram, ridge);
      return factors.decompose(full);
    }

    /**
     * Turns z into L'^-1 z: a standard normal z becomes normal with covariance (G + ridge I)^-1.
     */
    void color(double[] z) {
      double[] l = full.data;
      for (int i = dimension - 1; i >= 0; i--) {
        double sum = z[i];
        for (int j = i + 1; j < dimension; j++) {
          sum -= l[j * dimension + i] * z[j];
        }
        z[i] = sum / l[i * dimension + i];
      }
    }

    private double logDeterminant() {
      double sum = 0;
      for (int i = 0; i < dimension; i++) {
        sum += StrictMath.log(full.data[i * dimension + i]);
      }
      return 2 * sum;
    }

    private void unpack(double[] gram, double ridge) {
      for (int i = 0; i < dimension; i++) {
        for (int j = 0; j < i; j++) {
          double value = gram[SymmetricMatrix.place(dimension, i, j)];
          full.data[i * dimension + j] = value;
          full.data[j * dimension + i] = value;
        }
        full.data[i * dimension + i] = gram[SymmetricMatrix.place(dimension, i, i)] + ridge;
      }
    }
  }
}
