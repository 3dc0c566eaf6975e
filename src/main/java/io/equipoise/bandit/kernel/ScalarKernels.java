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
    for (int j = 0, k = ROWS * i; j < columns; j += ROWS, k += ROWS * dimension) {
      y[j] += scale * square[k];
      y[j + 1] += scale * square[k + 1];
      y[j + 2] += scale * square[k + 2];
      y[j + 3] += scale * square[k + 3];
    }
  }

  @Override
  public double quadratic(double[] square, double[] x, int dimension) {
    int whole = dimension - dimension % ROWS;
    double sum = 0;
    for (int i = 0, panel = 0; i < whole; i += ROWS, panel += ROWS * dimension) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      for (int j = 0; j < i; j++) {
        int k = panel + ROWS * j;
        double xj = x[j];
        s0 += square[k] * xj;
        s1 += square[k + 1] * xj;
        s2 += square[k + 2] * xj;
        s3 += square[k + 3] * xj;
      }
      sum += SquareCorner.quadratic(square, x, i, panel, s0, s1, s2, s3);
    }
    return SquareCorner.addLastRows(sum, square, x, whole, dimension);
  }

  @Override
  public void times(double[] square, double[] x, double[] y, int dimension) {
    int columns = Kernels.columns(dimension);
    int whole = dimension - dimension % ROWS;
    for (int i = 0, panel = 0; i < columns; i += ROWS, panel += ROWS * dimension) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      int j = 0;
      int left = i < whole ? i : dimension;
      for (; j < left; j++) {
        int k = panel + ROWS * j;
        double xj = x[j];
        s0 += square[k] * xj;
        s1 += square[k + 1] * xj;
        s2 += square[k + 2] * xj;
        s3 += square[k + 3] * xj;
      }
      for (; j < whole; j += ROWS) {
        int k = panel + ROWS * j;
        double x0 = x[j];
        double x1 = x[j + 1];
        double x2 = x[j + 2];
        double x3 = x[j + 3];
        s0 += (square[k] * x0 + square[k + 4] * x1) + (square[k + 8] * x2 + square[k + 12] * x3);
        s1 +=
            (square[k + 1] * x0 + square[k + 5] * x1) + (square[k + 9] * x2 + square[k + 13] * x3);
        s2 +=
            (square[k + 2] * x0 + square[k + 6] * x1) + (square[k + 10] * x2 + square[k + 14] * x3);
        s3 +=
            (square[k + 3] * x0 + square[k + 7] * x1) + (square[k + 11] * x2 + square[k + 15] * x3);
      }
      for (; j < dimension; j++) {
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
  public void addLowerSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * dimension) {
      for (int i = j; i < dimension; i++) {
        int k = panel + ROWS * i;
        double factor = scale * v[i];
        square[k] += factor * v[j];
        square[k + 1] += factor * v[j + 1];
        square[k + 2] += factor * v[j + 2];
        square[k + 3] += factor * v[j + 3];
      }
    }
  }

  @Override
  public void addSquare(double[] square, double scale, double[] v, int dimension) {
    int columns = Kernels.columns(dimension);
    for (int j = 0, panel = 0; j < columns; j += ROWS, panel += ROWS * dimension) {
      double v0 = v[j];
      double v1 = v[j + 1];
      double v2 = v[j + 2];
      double v3 = v[j + 3];
      double scaled0 = scale * v0;
      double scaled1 = scale * v1;
      double scaled2 = scale * v2;
      double scaled3 = scale * v3;
      for (int i = 0; i < j; i++) {
        int k = panel + ROWS * i;
        double vi = v[i];
        square[k] += scaled0 * vi;
        square[k + 1] += scaled1 * vi;
        square[k + 2] += scaled2 * vi;
        square[k + 3] += scaled3 * vi;
      }
      for (int i = j; i < dimension; i++) {
        int k = panel + ROWS * i;
        double vi = v[i];
        double factor = scale * vi;
        square[k] += factor * v0;
        square[k + 1] += i < j + 1 ? scaled1 * vi : factor * v1;
        square[k + 2] += i < j + 2 ? scaled2 * vi : factor * v2;
        square[k + 3] += i < j + 3 ? scaled3 * vi : factor * v3;
      }
    }
  }
}
