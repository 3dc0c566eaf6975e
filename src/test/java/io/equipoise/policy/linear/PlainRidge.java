package io.equipoise.policy.linear;

/**
 * Ridge regression as the textbook writes it: A and b as sums, A^-1 by Gauss and Jordan with
 * pivoting whenever it is asked for. The oracle; shares nothing with the real one.
 */
final class PlainRidge {
  final double[][] a;
  final double[] b;

  PlainRidge(int dimension, double ridge) {
    a = new double[dimension][dimension];
    b = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      a[i][i] = ridge;
    }
  }

  void observe(double[] x, double reward, double weight) {
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < x.length; j++) {
        a[i][j] += weight * x[i] * x[j];
      }
      b[i] += weight * reward * x[i];
    }
  }

  double[][] inverse() {
    int d = b.length;
    double[][] left = new double[d][];
    double[][] right = new double[d][d];
    for (int i = 0; i < d; i++) {
      left[i] = a[i].clone();
      right[i][i] = 1;
    }
    for (int column = 0; column < d; column++) {
      int pivot = column;
      for (int i = column; i < d; i++) {
        pivot = Math.abs(left[i][column]) > Math.abs(left[pivot][column]) ? i : pivot;
      }
      swap(left, pivot, column);
      swap(right, pivot, column);
      double scale = 1 / left[column][column];
      for (int j = 0; j < d; j++) {
        left[column][j] *= scale;
        right[column][j] *= scale;
      }
      for (int i = 0; i < d; i++) {
        double factor = left[i][column];
        for (int j = 0; i != column && j < d; j++) {
          left[i][j] -= factor * left[column][j];
          right[i][j] -= factor * right[column][j];
        }
      }
    }
    return right;
  }

  private static void swap(double[][] rows, int i, int j) {
    double[] row = rows[i];
    rows[i] = rows[j];
    rows[j] = row;
  }

  static double quadratic(double[][] m, double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < y.length; j++) {
        sum += x[i] * m[i][j] * y[j];
      }
    }
    return sum;
  }

  double mean(double[][] inverse, double[] x) {
    return quadratic(inverse, x, b);
  }

  /** log det A by elimination. */
  double logDeterminant() {
    int d = b.length;
    double[][] left = new double[d][];
    for (int i = 0; i < d; i++) {
      left[i] = a[i].clone();
    }
    double log = 0;
    for (int column = 0; column < d; column++) {
      log += Math.log(left[column][column]);
      for (int i = column + 1; i < d; i++) {
        double factor = left[i][column] / left[column][column];
        for (int j = column; j < d; j++) {
          left[i][j] -= factor * left[column][j];
        }
      }
    }
    return log;
  }
}
