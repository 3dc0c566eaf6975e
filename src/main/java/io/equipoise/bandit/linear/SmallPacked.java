package io.equipoise.bandit.linear;

/**
 * The dense kernels of {@link Packed} for small dimensions, where rows are too short for lanes:
 * four rows are walked together, each adding its elements in ascending order, so that four sums are
 * in flight instead of one. Same layout, fixed order.
 */
final class SmallPacked {
  /** Dimensions up to this use these kernels; a matter of speed, and part of the order of sums. */
  static final int LARGEST = 40;

  private static final int ROWS = 4;

  private SmallPacked() {}

  /** Returns x'Mx. */
  static double quadratic(double[] m, double[] x) {
    int d = x.length;
    int whole = d - d % ROWS;
    double sum = 0;
    for (int i = 0, from = 0; i < whole; i += ROWS) {
      int from1 = from + i + 1;
      int from2 = from1 + i + 2;
      int from3 = from2 + i + 3;
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      for (int j = 0; j < i; j++) {
        double xj = x[j];
        s0 += m[from + j] * xj;
        s1 += m[from1 + j] * xj;
        s2 += m[from2 + j] * xj;
        s3 += m[from3 + j] * xj;
      }
      double x0 = x[i];
      double x1 = x[i + 1];
      double x2 = x[i + 2];
      double x3 = x[i + 3];
      s1 += m[from1 + i] * x0;
      s2 += m[from2 + i] * x0 + m[from2 + i + 1] * x1;
      s3 += m[from3 + i] * x0 + m[from3 + i + 1] * x1 + m[from3 + i + 2] * x2;
      sum +=
          (x0 * (2 * s0 + m[from + i] * x0) + x1 * (2 * s1 + m[from1 + i + 1] * x1))
              + (x2 * (2 * s2 + m[from2 + i + 2] * x2) + x3 * (2 * s3 + m[from3 + i + 3] * x3));
      from = from3 + i + ROWS;
    }
    for (int i = whole; i < d; i++) {
      int from = Packed.row(i);
      double s = 0;
      for (int j = 0; j < i; j++) {
        s += m[from + j] * x[j];
      }
      sum += x[i] * (2 * s + m[from + i] * x[i]);
    }
    return sum;
  }

  /** Sets y = Mx. */
  static void times(double[] m, double[] x, double[] y) {
    int d = x.length;
    int whole = d - d % ROWS;
    for (int i = 0, from = 0; i < whole; i += ROWS) {
      int from1 = from + i + 1;
      int from2 = from1 + i + 2;
      int from3 = from2 + i + 3;
      double x0 = x[i];
      double x1 = x[i + 1];
      double x2 = x[i + 2];
      double x3 = x[i + 3];
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      for (int j = 0; j < i; j++) {
        double m0 = m[from + j];
        double m1 = m[from1 + j];
        double m2 = m[from2 + j];
        double m3 = m[from3 + j];
        double xj = x[j];
        s0 += m0 * xj;
        s1 += m1 * xj;
        s2 += m2 * xj;
        s3 += m3 * xj;
        y[j] += (m0 * x0 + m1 * x1) + (m2 * x2 + m3 * x3);
      }
      double m10 = m[from1 + i];
      double m20 = m[from2 + i];
      double m21 = m[from2 + i + 1];
      double m30 = m[from3 + i];
      double m31 = m[from3 + i + 1];
      double m32 = m[from3 + i + 2];
      y[i] = s0 + ((m[from + i] * x0 + m10 * x1) + (m20 * x2 + m30 * x3));
      y[i + 1] = s1 + ((m10 * x0 + m[from1 + i + 1] * x1) + (m21 * x2 + m31 * x3));
      y[i + 2] = s2 + ((m20 * x0 + m21 * x1) + (m[from2 + i + 2] * x2 + m32 * x3));
      y[i + 3] = s3 + ((m30 * x0 + m31 * x1) + (m32 * x2 + m[from3 + i + 3] * x3));
      from = from3 + i + ROWS;
    }
    for (int i = whole; i < d; i++) {
      int from = Packed.row(i);
      double s = 0;
      for (int j = 0; j < i; j++) {
        s += m[from + j] * x[j];
        y[j] += m[from + j] * x[i];
      }
      y[i] = s + m[from + i] * x[i];
    }
  }

  /** Adds scale * vv' to M. */
  static void addSquare(double[] m, double scale, double[] v) {
    int d = v.length;
    int whole = d - d % ROWS;
    for (int i = 0, from = 0; i < whole; i += ROWS) {
      int from1 = from + i + 1;
      int from2 = from1 + i + 2;
      int from3 = from2 + i + 3;
      double f0 = scale * v[i];
      double f1 = scale * v[i + 1];
      double f2 = scale * v[i + 2];
      double f3 = scale * v[i + 3];
      for (int j = 0; j <= i; j++) {
        double vj = v[j];
        m[from + j] += f0 * vj;
        m[from1 + j] += f1 * vj;
        m[from2 + j] += f2 * vj;
        m[from3 + j] += f3 * vj;
      }
      m[from1 + i + 1] += f1 * v[i + 1];
      m[from2 + i + 1] += f2 * v[i + 1];
      m[from2 + i + 2] += f2 * v[i + 2];
      m[from3 + i + 1] += f3 * v[i + 1];
      m[from3 + i + 2] += f3 * v[i + 2];
      m[from3 + i + 3] += f3 * v[i + 3];
      from = from3 + i + ROWS;
    }
    for (int i = whole; i < d; i++) {
      int from = Packed.row(i);
      double factor = scale * v[i];
      for (int j = 0; j <= i; j++) {
        m[from + j] += factor * v[j];
      }
    }
  }
}
