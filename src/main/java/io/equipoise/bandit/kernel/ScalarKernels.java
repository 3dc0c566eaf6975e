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
  public double quadratic(double[] square, double[] x, int dimension) {
    int stride = Kernels.stride(dimension);
    int whole = dimension - dimension % ROWS;
    double sum = 0;
    for (int i = 0; i < whole; i += ROWS) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      for (int j = 0, k = i; j < i; j++, k += stride) {
        double xj = x[j];
        s0 += square[k] * xj;
        s1 += square[k + 1] * xj;
        s2 += square[k + 2] * xj;
        s3 += square[k + 3] * xj;
      }
      sum += SquareCorner.quadratic(square, x, i, stride, s0, s1, s2, s3);
    }
    return SquareCorner.addLastRows(sum, square, x, whole, dimension, stride);
  }

  @Override
  public void times(double[] square, double[] x, double[] y, int dimension) {
    int stride = Kernels.stride(dimension);
    int whole = dimension - dimension % ROWS;
    for (int i = 0; i < stride; i += ROWS) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      int j = 0;
      int k = i;
      int left = i < whole ? i : dimension;
      for (; j < left; j++, k += stride) {
        double xj = x[j];
        s0 += square[k] * xj;
        s1 += square[k + 1] * xj;
        s2 += square[k + 2] * xj;
        s3 += square[k + 3] * xj;
      }
      for (; j < whole; j += ROWS, k += ROWS * stride) {
        double x0 = x[j];
        double x1 = x[j + 1];
        double x2 = x[j + 2];
        double x3 = x[j + 3];
        int k1 = k + stride;
        int k2 = k1 + stride;
        int k3 = k2 + stride;
        s0 += (square[k] * x0 + square[k1] * x1) + (square[k2] * x2 + square[k3] * x3);
        s1 +=
            (square[k + 1] * x0 + square[k1 + 1] * x1)
                + (square[k2 + 1] * x2 + square[k3 + 1] * x3);
        s2 +=
            (square[k + 2] * x0 + square[k1 + 2] * x1)
                + (square[k2 + 2] * x2 + square[k3 + 2] * x3);
        s3 +=
            (square[k + 3] * x0 + square[k1 + 3] * x1)
                + (square[k2 + 3] * x2 + square[k3 + 3] * x3);
      }
      for (; j < dimension; j++, k += stride) {
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
    int stride = Kernels.stride(dimension);
    for (int i = 0, row = 0; i < dimension; i++, row += stride) {
      double factor = scale * v[i];
      for (int j = 0; j <= i; j++) {
        square[row + j] += factor * v[j];
      }
    }
  }

  @Override
  public void addSquare(double[] square, double scale, double[] v, int dimension) {
    int stride = Kernels.stride(dimension);
    for (int i = 0, row = 0; i < dimension; i++, row += stride) {
      double vi = v[i];
      double factor = scale * vi;
      for (int j = 0; j <= i; j++) {
        square[row + j] += factor * v[j];
      }
      for (int j = i + 1; j < dimension; j++) {
        square[row + j] += (scale * v[j]) * vi;
      }
    }
  }
}
