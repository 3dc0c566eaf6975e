package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.kernel.Kernels;
import java.util.Arrays;

/**
 * Computes with symmetric matrices in arrays, as {@link RidgeRegression} keeps them. Up to
 * dimension {@value #LARGEST_SQUARE} a matrix is a square ({@link Kernels}): twice the memory, but
 * it stays in the cache and rows are read whole. Beyond, the lower triangle is packed by rows
 * ({@link PackedMatrix}), so that half is read. Vectors have {@link Kernels#padded} elements, zero
 * beyond the dimension.
 *
 * <p>The order of every sum is fixed. What is taken depends on the dimension and on the features
 * alone ({@link FeatureVector#isSparse}): dense sums are those of the kernels, a sparse sum adds
 * the nonzero elements in ascending order, from 0, so that it is never -0: where one feature is set
 * that 0 is written out. The layout in memory shows in no sum and in no byte.
 */
final class SymmetricMatrix {
  /** Dimensions up to this are squares; a matter of speed, and part of the order of sums. */
  static final int LARGEST_SQUARE = 40;

  private SymmetricMatrix() {}

  private static boolean isSquare(int dimension) {
    return dimension <= LARGEST_SQUARE;
  }

  /** Returns the number of elements for a dimension. */
  static int length(int dimension) {
    return isSquare(dimension) ? Kernels.squareLength(dimension) : PackedMatrix.length(dimension);
  }

  /** Returns where M_ij is, j not above i. */
  static int place(int dimension, int i, int j) {
    return isSquare(dimension) ? Kernels.place(dimension, i, j) : PackedMatrix.row(i) + j;
  }

  /** Sets M_ij and M_ji, j not above i. */
  static void set(double[] m, int dimension, int i, int j, double value) {
    m[place(dimension, i, j)] = value;
    if (isSquare(dimension)) {
      m[place(dimension, j, i)] = value;
    }
  }

  /** Writes or reads the lower triangle, packed by rows. */
  static void layout(Layout bytes, double[] m, int dimension) throws LayoutException {
    if (!isSquare(dimension)) {
      bytes.f64s(m, 0, PackedMatrix.length(dimension));
      return;
    }
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j <= i; j++) {
        double value = bytes.f64(m[place(dimension, i, j)]);
        if (bytes.isReading()) {
          set(m, dimension, i, j, value);
        }
      }
    }
  }

  /** Returns v'x. */
  static double dot(double[] v, FeatureVector x) {
    if (!x.isSparse()) {
      return Kernels.dot(v, x.values());
    }
    int[] indices = x.indices;
    double[] nonzero = x.nonzero;
    if (x.nonzeros() == 1) {
      return 0 + v[indices[0]] * nonzero[0];
    }
    double sum = 0;
    for (int k = 0; k < x.nonzeros(); k++) {
      sum += v[indices[k]] * nonzero[k];
    }
    return sum;
  }

  /** Sets out[k] = v_k'x of a dense x, for k below count. */
  static void dots(double[][] vs, FeatureVector x, double[] out, int count) {
    Kernels.dots(vs, x.values(), out, count);
  }

  /** Returns x'Mx. Reads half of M, or as many elements as there are pairs of nonzero features. */
  static double quadratic(double[] m, FeatureVector x) {
    if (x.isSparse()) {
      return sparseQuadratic(m, x);
    }
    return quadratic(m, x.values(), x.dimension());
  }

  /** Returns x'Mx of a dense x. */
  static double quadratic(double[] m, double[] x, int dimension) {
    return isSquare(dimension)
        ? Kernels.quadratic(m, x, dimension)
        : PackedMatrix.quadratic(m, x, dimension);
  }

  private static double sparseQuadratic(double[] m, FeatureVector x) {
    int d = x.dimension();
    int[] indices = x.indices;
    double[] nonzero = x.nonzero;
    if (x.nonzeros() == 1) {
      return 0 + nonzero[0] * (0 + m[place(d, indices[0], indices[0])] * nonzero[0]);
    }
    double sum = 0;
    for (int k = 0; k < x.nonzeros(); k++) {
      int i = indices[k];
      double below = 0;
      for (int l = 0; l < k; l++) {
        below += m[place(d, i, indices[l])] * nonzero[l];
      }
      sum += nonzero[k] * (2 * below + m[place(d, i, i)] * nonzero[k]);
    }
    return sum;
  }

  /** Sets y = Mx. */
  static void times(double[] m, FeatureVector x, double[] y) {
    if (!x.isSparse()) {
      times(m, x.values(), y, x.dimension());
    } else if (isSquare(x.dimension())) {
      sparseTimes(m, x, y);
    } else {
      PackedMatrix.times(m, x, y);
    }
  }

  /** Sets y = Mx for a dense x, which must not be y. */
  static void times(double[] m, double[] x, double[] y, int dimension) {
    if (isSquare(dimension)) {
      Kernels.times(m, x, y, dimension);
    } else {
      PackedMatrix.times(m, x, y, dimension);
    }
  }

  private static void sparseTimes(double[] m, FeatureVector x, double[] y) {
    Arrays.fill(y, 0);
    for (int k = 0; k < x.nonzeros(); k++) {
      Kernels.addRow(y, x.nonzero(k), m, x.index(k), x.dimension());
    }
  }

  /** Adds scale * vv' to M. */
  static void addSquare(double[] m, double scale, double[] v, int dimension) {
    if (isSquare(dimension)) {
      Kernels.addSquare(m, scale, v, dimension);
    } else {
      PackedMatrix.addSquare(m, scale, v, dimension);
    }
  }

  /** Adds scale * xx' to the lower triangle of M, for a matrix of which only that is read. */
  static void addLowerSquare(double[] m, double scale, FeatureVector x) {
    int dimension = x.dimension();
    if (!x.isSparse()) {
      if (isSquare(dimension)) {
        Kernels.addLowerSquare(m, scale, x.values(), dimension);
      } else {
        PackedMatrix.addSquare(m, scale, x.values(), dimension);
      }
      return;
    }
    for (int k = 0; k < x.nonzeros(); k++) {
      double factor = scale * x.nonzero(k);
      for (int l = 0; l <= k; l++) {
        m[place(dimension, x.index(k), x.index(l))] += factor * x.nonzero(l);
      }
    }
  }

  /** Makes M whole again after {@link #addLowerSquare}. */
  static void mirror(double[] m, int dimension) {
    for (int i = 0; isSquare(dimension) && i < dimension; i++) {
      for (int j = 0; j < i; j++) {
        m[place(dimension, j, i)] = m[place(dimension, i, j)];
      }
    }
  }

  static void addMultiple(double[] to, double scale, double[] v) {
    Kernels.addMultiple(to, scale, v, 0, v.length);
  }

  static void addMultiple(double[] to, double scale, FeatureVector x) {
    if (!x.isSparse()) {
      addMultiple(to, scale, x.values());
      return;
    }
    for (int k = 0; k < x.nonzeros(); k++) {
      to[x.index(k)] += scale * x.nonzero(k);
    }
  }

  /** Returns the largest sum of absolute values in a row: no eigenvalue is larger in size. */
  static double norm(double[] m, int dimension, double[] scratch) {
    Arrays.fill(scratch, 0);
    for (int i = 0; i < dimension; i++) {
      for (int j = 0; j < i; j++) {
        double size = Math.abs(m[place(dimension, i, j)]);
        scratch[i] += size;
        scratch[j] += size;
      }
      scratch[i] += Math.abs(m[place(dimension, i, i)]);
    }
    double norm = 0;
    for (double sum : scratch) {
      norm = Math.max(norm, sum);
    }
    return norm;
  }

  /**
   * Products with symmetric matrices whose lower triangle is packed by rows: M_ij with j &lt;= i is
   * at i(i+1)/2 + j, so that half of the memory is read. For dimensions whose matrices leave the
   * cache.
   */
  static final class PackedMatrix {

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

    /**
     * Sets y = Mx for a dense x, which must not be y: each row is read once, for both triangles.
     */
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
}
