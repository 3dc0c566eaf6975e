package io.equipoise.bandit.logistic;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * A symmetric positive definite matrix H and its inverse (n x n), H = lambda I at first. Mutable;
 * {@link #copy} is deep. Changing it allocates nothing but for a refresh of the inverse.
 */
final class Curvature {
  private final int n;
  private final double lambda;
  private final DMatrixRMaj h;
  private final DMatrixRMaj inverse;
  private final CholeskyDecompositionInner_DDRM cholesky =
      new CholeskyDecompositionInner_DDRM(true);
  private final DMatrixRMaj scratch;
  private double logDet;
  private boolean isLogDetKnown;

  Curvature(int n, double lambda) {
    this.n = n;
    this.lambda = lambda;
    h = new DMatrixRMaj(n, n);
    inverse = new DMatrixRMaj(n, n);
    scratch = new DMatrixRMaj(n, n);
    for (int i = 0; i < n; i++) {
      h.set(i, i, lambda);
      inverse.set(i, i, 1 / lambda);
    }
  }

  double lambda() {
    return lambda;
  }

  /** Returns H; not to be changed. */
  DMatrixRMaj matrix() {
    return h;
  }

  /** Returns H^-1; not to be changed. */
  DMatrixRMaj inverse() {
    return inverse;
  }

  /** Writes H^-1 x. */
  void solve(double[] x, double[] out) {
    for (int row = 0; row < n; row++) {
      double sum = 0;
      for (int column = 0; column < n; column++) {
        sum += inverse.data[row * n + column] * x[column];
      }
      out[row] = sum;
    }
  }

  /** Returns a' H^-1 b. */
  double product(double[] a, double[] b) {
    double product = 0;
    for (int row = 0; row < n; row++) {
      double sum = 0;
      for (int column = 0; column < n; column++) {
        sum += inverse.data[row * n + column] * b[column];
      }
      product += a[row] * sum;
    }
    return product;
  }

  /** Returns x' H^-1 x, never below 0. */
  double variance(double[] x) {
    return Math.max(0, product(x, x));
  }

  /** Adds weight x x' to H, given v = H^-1 x and q = x . v (Sherman and Morrison). */
  void add(double[] x, double[] v, double q, double weight) {
    double shrink = weight / (1 + weight * q);
    for (int row = 0; row < n; row++) {
      for (int column = 0; column <= row; column++) {
        double ofH = h.data[row * n + column] + weight * x[row] * x[column];
        double ofInverse = inverse.data[row * n + column] - shrink * v[row] * v[column];
        h.data[row * n + column] = ofH;
        h.data[column * n + row] = ofH;
        inverse.data[row * n + column] = ofInverse;
        inverse.data[column * n + row] = ofInverse;
      }
    }
    isLogDetKnown = false;
  }

  /** Sets H to lambda I plus a symmetric matrix without negative eigenvalues. */
  void set(DMatrixRMaj added) {
    h.setTo(added);
    for (int i = 0; i < n; i++) {
      h.add(i, i, lambda);
    }
    isLogDetKnown = false;
    refresh();
  }

  /**
   * Computes the inverse anew from H, by Cholesky. Keeps the old one where rounding has left H
   * without a decomposition.
   */
  void refresh() {
    LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.symmPosDef(n);
    if (!solver.setA(h.copy())) {
      return;
    }
    DMatrixRMaj fresh = new DMatrixRMaj(n, n);
    solver.invert(fresh);
    for (int row = 0; row < n; row++) {
      for (int column = 0; column <= row; column++) {
        double mean = (fresh.get(row, column) + fresh.get(column, row)) / 2;
        inverse.set(row, column, mean);
        inverse.set(column, row, mean);
      }
    }
  }

  /**
   * Returns log det H. Where rounding has left H without a decomposition, returns Hadamard's bound,
   * the sum of the diagonal's logarithms: larger, so that a radius from it is wider.
   */
  double logDet() {
    if (!isLogDetKnown) {
      scratch.setTo(h);
      boolean isDecomposed = cholesky.decompose(scratch);
      double sum = 0;
      for (int i = 0; i < n; i++) {
        double pivot = isDecomposed ? cholesky.getT().unsafe_get(i, i) : 0;
        sum += isDecomposed ? 2 * StrictMath.log(pivot) : StrictMath.log(h.unsafe_get(i, i));
      }
      logDet = sum;
      isLogDetKnown = true;
    }
    return logDet;
  }

  Curvature copy() {
    Curvature copy = new Curvature(n, lambda);
    copy.h.setTo(h);
    copy.inverse.setTo(inverse);
    return copy;
  }

  static int byteLength(int n) {
    return 2 * n * n * Double.BYTES;
  }

  /** Writes H and H^-1 by rows, 2 n^2 doubles. */
  void appendTo(ByteBuffer out) {
    for (DMatrixRMaj matrix : new DMatrixRMaj[] {h, inverse}) {
      for (int i = 0; i < n * n; i++) {
        out.putDouble(matrix.data[i]);
      }
    }
  }

  /** Reads what {@link #appendTo} wrote. */
  void readFrom(ByteBuffer in) {
    for (DMatrixRMaj matrix : new DMatrixRMaj[] {h, inverse}) {
      for (int i = 0; i < n * n; i++) {
        matrix.data[i] = in.getDouble();
      }
    }
    isLogDetKnown = false;
  }

  boolean hasSameValues(Curvature other) {
    return n == other.n
        && Arrays.equals(h.data, other.h.data)
        && Arrays.equals(inverse.data, other.inverse.data);
  }
}
