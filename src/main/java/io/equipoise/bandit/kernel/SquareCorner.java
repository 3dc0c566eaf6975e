package io.equipoise.bandit.kernel;

/** What a quadratic form of a square adds at its diagonal, where rows have different lengths. */
public final class SquareCorner {
  private SquareCorner() {}

  /**
   * Returns what rows i to i + 3 add to x'Mx.
   *
   * @param panel where the panel of columns i to i + 3 begins
   * @param s0 sum of what stands left of column i in row i, times x; s1 to s3 in the next rows
   */
  public static double quadratic(
      double[] m, double[] x, int i, int panel, double s0, double s1, double s2, double s3) {
    int row0 = panel + Kernels.ROWS * i;
    int row1 = row0 + Kernels.ROWS;
    int row2 = row1 + Kernels.ROWS;
    int row3 = row2 + Kernels.ROWS;
    double x0 = x[i];
    double x1 = x[i + 1];
    double x2 = x[i + 2];
    double x3 = x[i + 3];
    double t1 = s1 + m[row1] * x0;
    double t2 = s2 + (m[row2] * x0 + m[row2 + 1] * x1);
    double t3 = s3 + (m[row3] * x0 + m[row3 + 1] * x1 + m[row3 + 2] * x2);
    return (x0 * (2 * s0 + m[row0] * x0) + x1 * (2 * t1 + m[row1 + 1] * x1))
        + (x2 * (2 * t2 + m[row2 + 2] * x2) + x3 * (2 * t3 + m[row3 + 3] * x3));
  }

  /** Returns sum + what rows from {@code first} on add to x'Mx, each in ascending order. */
  public static double addLastRows(double sum, double[] m, double[] x, int first, int dimension) {
    for (int i = first; i < dimension; i++) {
      int column = first * dimension + i - first;
      double s = 0;
      for (int j = 0; j < i; j++) {
        s += m[column + Kernels.ROWS * j] * x[j];
      }
      sum += x[i] * (2 * s + m[column + Kernels.ROWS * i] * x[i]);
    }
    return sum;
  }
}
