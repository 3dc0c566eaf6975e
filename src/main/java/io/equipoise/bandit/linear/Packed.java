package io.equipoise.bandit.linear;

import java.util.Arrays;

/**
 * Kernels on symmetric matrices whose lower triangle is packed by rows: M_ij with j &lt;= i is at
 * i(i+1)/2 + j, so that half of the memory is read.
 *
 * <p>The order of every sum is fixed. A dense dot product adds element i into lane i mod 8; the
 * eight lanes are added as ((0+4) + (2+6)) + ((1+5) + (3+7)). A sparse sum adds the nonzero
 * elements in ascending order. Which of the two is taken depends on the features alone ({@link
 * FeatureVector#isSparse}) and, for matrices, on the dimension ({@link SmallPacked}). No fused
 * multiply-add. So a vector unit of any width, or none, gives the same bits.
 */
final class Packed {
  /** Logical lanes of a dense sum, whatever the hardware has. */
  static final int LANES = 8;

  private Packed() {}

  /** Returns where row i begins. */
  static int row(int i) {
    return i * (i + 1) / 2;
  }

  /** Returns the number of elements for a dimension. */
  static int length(int dimension) {
    return row(dimension);
  }

  /** Returns sum_j m[from + j] x[j] for j below length, in the order of lanes. */
  static double dot(double[] m, int from, double[] x, int length) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    double s4 = 0;
    double s5 = 0;
    double s6 = 0;
    double s7 = 0;
    int whole = length - length % LANES;
    for (int j = 0, k = from; j < whole; j += LANES, k += LANES) {
      s0 += m[k] * x[j];
      s1 += m[k + 1] * x[j + 1];
      s2 += m[k + 2] * x[j + 2];
      s3 += m[k + 3] * x[j + 3];
      s4 += m[k + 4] * x[j + 4];
      s5 += m[k + 5] * x[j + 5];
      s6 += m[k + 6] * x[j + 6];
      s7 += m[k + 7] * x[j + 7];
    }
    int rest = length - whole;
    int k = from + whole;
    if (rest > 0) {
      s0 += m[k] * x[whole];
    }
    if (rest > 1) {
      s1 += m[k + 1] * x[whole + 1];
    }
    if (rest > 2) {
      s2 += m[k + 2] * x[whole + 2];
    }
    if (rest > 3) {
      s3 += m[k + 3] * x[whole + 3];
    }
    if (rest > 4) {
      s4 += m[k + 4] * x[whole + 4];
    }
    if (rest > 5) {
      s5 += m[k + 5] * x[whole + 5];
    }
    if (rest > 6) {
      s6 += m[k + 6] * x[whole + 6];
    }
    return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
  }

  /** Returns sum_i v_i x_i. */
  static double dot(double[] v, FeatureVector x) {
    if (!x.isSparse()) {
      return dot(v, 0, x.values(), v.length);
    }
    double sum = 0;
    for (int k = 0; k < x.nonzeros(); k++) {
      sum += v[x.index(k)] * x.nonzero(k);
    }
    return sum;
  }

  /** Returns x'Mx. Reads d(d+1)/2 elements, or as many as pairs of nonzero features. */
  static double quadratic(double[] m, FeatureVector x) {
    return x.isSparse() ? sparseQuadratic(m, x) : denseQuadratic(m, x.values());
  }

  private static double denseQuadratic(double[] m, double[] x) {
    if (x.length <= SmallPacked.LARGEST) {
      return SmallPacked.quadratic(m, x);
    }
    double sum = 0;
    for (int i = 0, from = 0; i < x.length; from += ++i) {
      sum += x[i] * (2 * dot(m, from, x, i) + m[from + i] * x[i]);
    }
    return sum;
  }

  private static double sparseQuadratic(double[] m, FeatureVector x) {
    double sum = 0;
    for (int k = 0; k < x.nonzeros(); k++) {
      int from = row(x.index(k));
      double below = 0;
      for (int l = 0; l < k; l++) {
        below += m[from + x.index(l)] * x.nonzero(l);
      }
      sum += x.nonzero(k) * (2 * below + m[from + x.index(k)] * x.nonzero(k));
    }
    return sum;
  }

  /** Sets y = Mx. */
  static void times(double[] m, FeatureVector x, double[] y) {
    if (x.isSparse()) {
      sparseTimes(m, x, y);
    } else {
      times(m, x.values(), y);
    }
  }

  /** Sets y = Mx for a dense x, which must not be y. */
  static void times(double[] m, double[] x, double[] y) {
    if (x.length <= SmallPacked.LARGEST) {
      SmallPacked.times(m, x, y);
      return;
    }
    for (int i = 0, from = 0; i < x.length; from += ++i) {
      y[i] = dot(m, from, x, i) + m[from + i] * x[i];
      addMultiple(y, x[i], m, from, i);
    }
  }

  private static void sparseTimes(double[] m, FeatureVector x, double[] y) {
    Arrays.fill(y, 0);
    for (int k = 0; k < x.nonzeros(); k++) {
      int i = x.index(k);
      double scale = x.nonzero(k);
      addMultiple(y, scale, m, row(i), i + 1);
      for (int j = i + 1, at = row(i + 1) + i; j < y.length; at += ++j) {
        y[j] += scale * m[at];
      }
    }
  }

  private static void addMultiple(double[] y, double scale, double[] m, int from, int length) {
    for (int j = 0; j < length; j++) {
      y[j] += scale * m[from + j];
    }
  }

  /** Adds scale * vv' to M. */
  static void addSquare(double[] m, double scale, double[] v) {
    if (v.length <= SmallPacked.LARGEST) {
      SmallPacked.addSquare(m, scale, v);
      return;
    }
    for (int i = 0, from = 0; i < v.length; from += ++i) {
      double factor = scale * v[i];
      for (int j = 0; j <= i; j++) {
        m[from + j] += factor * v[j];
      }
    }
  }

  /** Adds scale * xx' to M. */
  static void addSquare(double[] m, double scale, FeatureVector x) {
    if (!x.isSparse()) {
      addSquare(m, scale, x.values());
      return;
    }
    for (int k = 0; k < x.nonzeros(); k++) {
      int from = row(x.index(k));
      double factor = scale * x.nonzero(k);
      for (int l = 0; l <= k; l++) {
        m[from + x.index(l)] += factor * x.nonzero(l);
      }
    }
  }

  /** Returns the largest sum of absolute values in a row: no eigenvalue is larger in size. */
  static double norm(double[] m, int dimension, double[] scratch) {
    Arrays.fill(scratch, 0);
    for (int i = 0, from = 0; i < dimension; from += ++i) {
      for (int j = 0; j < i; j++) {
        double size = Math.abs(m[from + j]);
        scratch[i] += size;
        scratch[j] += size;
      }
      scratch[i] += Math.abs(m[from + i]);
    }
    double norm = 0;
    for (double sum : scratch) {
      norm = Math.max(norm, sum);
    }
    return norm;
  }
}
