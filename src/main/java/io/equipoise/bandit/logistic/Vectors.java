package io.equipoise.bandit.logistic;

/** Sums over vectors of equal length, in the order of their places. */
final class Vectors {
  private Vectors() {}

  static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  static double norm(double[] a) {
    return Math.sqrt(dot(a, a));
  }

  /** Returns a + s b. */
  static double[] plus(double[] a, double s, double[] b) {
    double[] sum = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      sum[i] = a[i] + s * b[i];
    }
    return sum;
  }

  /** Returns s a. */
  static double[] scaled(double s, double[] a) {
    double[] scaled = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      scaled[i] = s * a[i];
    }
    return scaled;
  }

  /** Returns a, or where it is longer than a limit, its direction with that length. */
  static double[] within(double limit, double[] a) {
    double norm = norm(a);
    return norm > limit ? scaled(limit / norm, a) : a;
  }
}
