package io.equipoise.policy.kernel;

/**
 * Computes the inner loops of linear models. They give the same bits on every machine: the order of
 * each sum is part of its contract, stated here, and products are rounded before they are added.
 *
 * <p>A <i>square</i> is a symmetric matrix in full, for small dimensions, filled up by zeros to
 * whole fours of rows and columns, in panels of {@value #ROWS} columns: down a panel its rows lie
 * one after another, so that a step of every inner loop is the next four elements, whatever d. M_ij
 * is at {@link #place}. By symmetry a column is a row, so that the four sums of four rows go down
 * four lanes side by side. Vectors have padded(d) elements, zero beyond d.
 */
public final class Kernels {
  /** Logical lanes of {@link #dot}. */
  public static final int LANES = 8;

  /** Rows of a square that are summed side by side. */
  public static final int ROWS = 4;

  /** Returns how many rows, and columns, a square of this dimension is filled up to. */
  public static int columns(int dimension) {
    return (dimension + ROWS - 1) & -ROWS;
  }

  /** Returns the number of elements of a square of this dimension. */
  public static int squareLength(int dimension) {
    return columns(dimension) * columns(dimension);
  }

  /** Returns where a square of this dimension has M_ij. */
  public static int place(int dimension, int i, int j) {
    return (j & -ROWS) * columns(dimension) + ROWS * i + (j & (ROWS - 1));
  }

  /** Returns the length of a vector of this dimension: whole groups of lanes. */
  public static int padded(int dimension) {
    return (dimension + LANES - 1) & -LANES;
  }

  private Kernels() {}

  /**
   * Returns sum_j a[from + j] x[j] for j below length. Element j goes to lane j mod 8; lanes are
   * added as ((0+4) + (2+6)) + ((1+5) + (3+7)).
   */
  public static double dot(double[] a, int from, double[] x, int length) {
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
      s0 += a[k] * x[j];
      s1 += a[k + 1] * x[j + 1];
      s2 += a[k + 2] * x[j + 2];
      s3 += a[k + 3] * x[j + 3];
      s4 += a[k + 4] * x[j + 4];
      s5 += a[k + 5] * x[j + 5];
      s6 += a[k + 6] * x[j + 6];
      s7 += a[k + 7] * x[j + 7];
    }
    int rest = length - whole;
    int k = from + whole;
    if (rest > 0) {
      s0 += a[k] * x[whole];
    }
    if (rest > 1) {
      s1 += a[k + 1] * x[whole + 1];
    }
    if (rest > 2) {
      s2 += a[k + 2] * x[whole + 2];
    }
    if (rest > 3) {
      s3 += a[k + 3] * x[whole + 3];
    }
    if (rest > 4) {
      s4 += a[k + 4] * x[whole + 4];
    }
    if (rest > 5) {
      s5 += a[k + 5] * x[whole + 5];
    }
    if (rest > 6) {
      s6 += a[k + 6] * x[whole + 6];
    }
    return ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7));
  }

  /** Adds scale * x[from + j] to y[j], for j below length. */
  public static void addMultiple(double[] y, double scale, double[] x, int from, int length) {
    for (int j = 0; j < length; j++) {
      y[j] += scale * x[from + j];
    }
  }

  /** Adds scale * x[j] to y[to + j], for j below length. */
  public static void addMultipleTo(double[] y, int to, double scale, double[] x, int length) {
    for (int j = 0; j < length; j++) {
      y[to + j] += scale * x[j];
    }
  }

  /**
   * Adds scale * a[from + j] to y[j] for j below length, and returns {@link #dot}(a, from, x,
   * length): what a row below the diagonal adds to a product, in one pass.
   */
  public static double dotAndAdd(
      double[] a, int from, double[] x, double scale, double[] y, int length) {
    addMultiple(y, scale, a, from, length);
    return dot(a, from, x, length);
  }

  /** Returns {@link #dot} of two vectors of the same padded length. */
  public static double dot(double[] a, double[] x) {
    return dot(a, 0, x, x.length);
  }

  /** Sets out[k] = {@link #dot}(rows[k], x), of the same padded length, for k below count. */
  public static void dots(double[][] rows, double[] x, double[] out, int count) {
    for (int k = 0; k < count; k++) {
      out[k] = dot(rows[k], 0, x, x.length);
    }
  }

  /** Adds scale * M_ij to y[j], for row i of a square and j below columns(d). */
  public static void addRow(double[] y, double scale, double[] square, int i, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, k = ROWS * i; j < columns; j += ROWS, k += ROWS * columns) {
      y[j] += scale * square[k];
      y[j + 1] += scale * square[k + 1];
      y[j + 2] += scale * square[k + 2];
      y[j + 3] += scale * square[k + 3];
    }
  }

  /**
   * Returns x'Mx of a square, of which it reads what is not above the corners, the fours on the
   * diagonal. For column i, c_i is the sum of M_ji x_j over the four rows j of its corner, b_i that
   * over the rows below from 0, both ascending; ((c_i + b_i) + b_i) x_i goes to lane i mod 4; lanes
   * are added as (0+2) + (1+3).
   */
  public static double quadratic(double[] square, double[] x, int dimension) {
    int columns = Kernels.columns(dimension);
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    for (int i = 0, panel = 0; i < columns; i += ROWS, panel += ROWS * columns) {
      int corner = panel + ROWS * i;
      double s0 = inCorner(square, corner, x, i);
      double s1 = inCorner(square, corner + 1, x, i);
      double s2 = inCorner(square, corner + 2, x, i);
      double s3 = inCorner(square, corner + 3, x, i);
      double below0 = 0;
      double below1 = 0;
      double below2 = 0;
      double below3 = 0;
      for (int j = i + ROWS; j < dimension; j++) {
        int k = panel + ROWS * j;
        double xj = x[j];
        below0 += square[k] * xj;
        below1 += square[k + 1] * xj;
        below2 += square[k + 2] * xj;
        below3 += square[k + 3] * xj;
      }
      sum0 += (s0 + below0 + below0) * x[i];
      sum1 += (s1 + below1 + below1) * x[i + 1];
      sum2 += (s2 + below2 + below2) * x[i + 2];
      sum3 += (s3 + below3 + below3) * x[i + 3];
    }
    return (sum0 + sum2) + (sum1 + sum3);
  }

  /** Returns the sum down one column of a corner, times x. */
  private static double inCorner(double[] square, int from, double[] x, int i) {
    return square[from] * x[i]
        + square[from + ROWS] * x[i + 1]
        + square[from + 2 * ROWS] * x[i + 2]
        + square[from + 3 * ROWS] * x[i + 3];
  }

  /** Sets y = Mx of a square; y is not x. Columns are added one by one, ascending. */
  public static void times(double[] square, double[] x, double[] y, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int i = 0, panel = 0; i < columns; i += ROWS, panel += ROWS * columns) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      for (int j = 0; j < dimension; j++) {
        int k = panel + ROWS * j;
        double xj = x[j];
        s0 += square[k] * xj;
        s1 += square[k + 1] * xj;
        s2 += square[k + 2] * xj;
        s3 += square[k + 3] * xj;
      }
      y[i] = s0;
      y[i + 1] = s1;
      y[i + 2] = s2;
      y[i + 3] = s3;
    }
  }

  /** Adds (v_i v_j) scale to M_ij of a square, which stays symmetric to the bit. */
  public static void addSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * columns) {
      addToPanel(square, panel, 0, scale, v, j, dimension);
    }
  }

  /**
   * Does {@link #addSquare} for j not above i; what stands above the diagonal is unspecified then.
   * Three fifths of the work, for a matrix that is added to and seldom read.
   */
  public static void addLowerSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * columns) {
      addToPanel(square, panel, j, scale, v, j, dimension);
    }
  }

  /** Adds to a panel of columns from j on, in the rows from one on. */
  private static void addToPanel(
      double[] square, int panel, int row, double scale, double[] v, int j, int dimension) {
    double v0 = v[j];
    double v1 = v[j + 1];
    double v2 = v[j + 2];
    double v3 = v[j + 3];
    for (int i = row; i < dimension; i++) {
      int k = panel + ROWS * i;
      double vi = v[i];
      square[k] += v0 * vi * scale;
      square[k + 1] += v1 * vi * scale;
      square[k + 2] += v2 * vi * scale;
      square[k + 3] += v3 * vi * scale;
    }
  }
}
