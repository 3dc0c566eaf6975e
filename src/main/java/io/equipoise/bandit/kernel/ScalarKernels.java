package io.equipoise.bandit.kernel;

/** Kernels in plain Java: the order of sums, written out, and what runs where nothing better is. */
public final class ScalarKernels implements Kernels {
  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public double dot(double[] a, int from, double[] x, int length) {
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

  @Override
  public void addMultiple(double[] y, double scale, double[] x, int from, int length) {
    for (int j = 0; j < length; j++) {
      y[j] += scale * x[from + j];
    }
  }

  @Override
  public void addMultipleTo(double[] y, int to, double scale, double[] x, int length) {
    for (int j = 0; j < length; j++) {
      y[to + j] += scale * x[j];
    }
  }

  @Override
  public double dotAndAdd(double[] a, int from, double[] x, double scale, double[] y, int length) {
    addMultiple(y, scale, a, from, length);
    return dot(a, from, x, length);
  }

  @Override
  public double dot(double[] a, double[] x) {
    return dot(a, 0, x, x.length);
  }

  @Override
  public void dots(double[][] rows, double[] x, double[] out, int count) {
    for (int k = 0; k < count; k++) {
      out[k] = dot(rows[k], 0, x, x.length);
    }
  }

  @Override
  public void addRow(double[] y, double scale, double[] square, int i, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, k = ROWS * i; j < columns; j += ROWS, k += ROWS * columns) {
      y[j] += scale * square[k];
      y[j + 1] += scale * square[k + 1];
      y[j + 2] += scale * square[k + 2];
      y[j + 3] += scale * square[k + 3];
    }
  }

  @Override
  public double quadratic(double[] square, double[] x, int dimension) {
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

  @Override
  public void times(double[] square, double[] x, double[] y, int dimension) {
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

  @Override
  public void addSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * columns) {
      addToPanel(square, panel, 0, scale, v, j, dimension);
    }
  }

  @Override
  public void addLowerSquare(double[] square, double scale, double[] v, int dimension) {
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
