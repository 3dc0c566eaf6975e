package io.equipoise.policy.linear;

import io.equipoise.policy.kernel.Kernels;
import java.util.Arrays;

/**
 * Products with symmetric matrices whose lower triangle is packed by rows: M_ij with j &lt;= i is
 * at i(i+1)/2 + j, so that half of the memory is read. For dimensions whose matrices leave the
 * cache.
 */
final class PackedMatrix {

  private PackedMatrix() {}

  /** Returns where row i begins. */
  static int row(int i) {
    return i * (i + 1) / 2;
  }

  /** Returns the number of elements for a dimension. */
  static int length(int dimension) {
    return row(dimension);
  }

  /** Returns x'Mx: rows in ascending order, each a dot product. */
  static double quadratic(double[] m, double[] x, int dimension) {
    double sum = 0;
    for (int i = 0, from = 0; i < dimension; from += ++i) {
      sum += x[i] * (2 * Kernels.dot(m, from, x, i) + m[from + i] * x[i]);
    }
    return sum;
  }

  /** Sets y = Mx for a dense x, which must not be y: each row is read once, for both triangles. */
  static void times(double[] m, double[] x, double[] y, int dimension) {
    for (int i = 0, from = 0; i < dimension; from += ++i) {
      y[i] = Kernels.dotAndAdd(m, from, x, x[i], y, i) + m[from + i] * x[i];
    }
  }

  /** Sets y = Mx for a sparse x. */
  static void times(double[] m, FeatureVector x, double[] y) {
    Arrays.fill(y, 0);
    for (int k = 0; k < x.nonzeros(); k++) {
      int i = x.index(k);
      double scale = x.nonzero(k);
      Kernels.addMultiple(y, scale, m, row(i), i + 1);
      for (int j = i + 1, at = row(i + 1) + i; j < x.dimension(); at += ++j) {
        y[j] += scale * m[at];
      }
    }
  }

  /** Adds scale * vv' to M. */
  static void addSquare(double[] m, double scale, double[] v, int dimension) {
    for (int i = 0, from = 0; i < dimension; from += ++i) {
      Kernels.addMultipleTo(m, from, scale * v[i], v, i + 1);
    }
  }
}
