package io.equipoise.bandit.kernel;

/**
 * The inner loops of linear models. Every implementation gives the same bits on every machine: the
 * order of each sum is part of its contract, stated here, and products are rounded before they are
 * added.
 *
 * <p>A <i>square</i> is a symmetric matrix in full, for small dimensions, filled up by zeros to
 * whole fours of rows and columns, in panels of {@value #ROWS} columns: down a panel its rows lie
 * one after another, so that a step of every inner loop is the next four elements, whatever d. M_ij
 * is at {@link #place}. By symmetry a column is a row, so that the four sums of four rows go down
 * four lanes side by side. Vectors have padded(d) elements, zero beyond d.
 */
public interface Kernels {
  /** Logical lanes of {@link #dot}. */
  int LANES = 8;

  /** Rows of a square that are summed side by side. */
  int ROWS = 4;

  /** Returns the fastest kernels of this machine. */
  static Kernels best() {
    return Choice.BEST;
  }

  /** Returns how many rows, and columns, a square of this dimension is filled up to. */
  static int columns(int dimension) {
    return (dimension + ROWS - 1) & -ROWS;
  }

  /** Returns the number of elements of a square of this dimension. */
  static int squareLength(int dimension) {
    return columns(dimension) * columns(dimension);
  }

  /** Returns where a square of this dimension has M_ij. */
  static int place(int dimension, int i, int j) {
    return (j & -ROWS) * columns(dimension) + ROWS * i + (j & (ROWS - 1));
  }

  /** Returns the length of a vector of this dimension: whole groups of lanes. */
  static int padded(int dimension) {
    return (dimension + LANES - 1) & -LANES;
  }

  /** Returns a name for reports. */
  String name();

  /**
   * Returns sum_j a[from + j] x[j] for j below length. Element j goes to lane j mod 8; lanes are
   * added as ((0+4) + (2+6)) + ((1+5) + (3+7)).
   */
  double dot(double[] a, int from, double[] x, int length);

  /** Returns {@link #dot} of two vectors of the same padded length. */
  double dot(double[] a, double[] x);

  /** Sets out[k] = {@link #dot}(rows[k], x), of the same padded length, for k below count. */
  void dots(double[][] rows, double[] x, double[] out, int count);

  /** Adds scale * x[from + j] to y[j], for j below length. */
  void addMultiple(double[] y, double scale, double[] x, int from, int length);

  /** Adds scale * x[j] to y[to + j], for j below length. */
  void addMultipleTo(double[] y, int to, double scale, double[] x, int length);

  /**
   * Adds scale * a[from + j] to y[j] for j below length, and returns {@link #dot}(a, from, x,
   * length): what a row below the diagonal adds to a product, in one pass.
   */
  double dotAndAdd(double[] a, int from, double[] x, double scale, double[] y, int length);

  /** Adds scale * M_ij to y[j], for row i of a square and j below columns(d). */
  void addRow(double[] y, double scale, double[] square, int i, int dimension);

  /**
   * Returns x'Mx of a square, of which it reads what is not above the corners, the fours on the
   * diagonal. For column i, c_i is the sum of M_ji x_j over the four rows j of its corner, b_i that
   * over the rows below from 0, both ascending; ((c_i + b_i) + b_i) x_i goes to lane i mod 4; lanes
   * are added as (0+2) + (1+3).
   */
  double quadratic(double[] square, double[] x, int dimension);

  /** Sets y = Mx of a square; y is not x. Columns are added one by one, ascending. */
  void times(double[] square, double[] x, double[] y, int dimension);

  /** Adds (v_i v_j) scale to M_ij of a square, which stays symmetric to the bit. */
  void addSquare(double[] square, double scale, double[] v, int dimension);

  /**
   * Does {@link #addSquare} for j not above i; what stands above the diagonal is unspecified then.
   * Three fifths of the work, for a matrix that is added to and seldom read.
   */
  void addLowerSquare(double[] square, double scale, double[] v, int dimension);
}
