package io.equipoise.policy.logistic;

import java.util.Arrays;

/**
 * Computes sums over vectors of equal length, in the order of their places. To leave out the
 * products with a zero changes no bit of a sum while the other factors are finite: a sum that
 * starts at 0 is never -0, and adding a zero of either sign leaves it as it is.
 */
public final class Vectors {
  /** Vectors with more than one of so many places not zero are taken as a whole. */
  private static final int DENSE = 4;

  private Vectors() {}

  /** Returns a . b. */
  public static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** Returns a . b of a vector that is zero but in these places. */
  static double dot(double[] a, int[] places, double[] b) {
    if (isDense(a, places)) {
      return dot(a, b);
    }
    double sum = 0;
    for (int place : places) {
      sum += a[place] * b[place];
    }
    return sum;
  }

  /** Returns whether so few places are zero that a sum over all takes less time. */
  static boolean isDense(double[] a, int[] places) {
    return DENSE * places.length > a.length;
  }

  /** Returns the places that are not zero, ascending. */
  static int[] nonzeros(double[] a) {
    int[] places = new int[a.length];
    int count = nonzeros(a, places);
    return count == places.length ? places : Arrays.copyOf(places, count);
  }

  /** Writes the places that are not zero, ascending, and returns how many there are. */
  static int nonzeros(double[] a, int[] places) {
    int count = 0;
    for (int i = 0; i < a.length; i++) {
      places[count] = i;
      count += a[i] != 0 ? 1 : 0;
    }
    return count;
  }

  /** Returns the places of both, ascending. */
  static int[] union(int[] ones, int[] others) {
    int[] union = new int[ones.length + others.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < ones.length || j < others.length) {
      boolean isOne = j == others.length || (i < ones.length && ones[i] <= others[j]);
      boolean isOther = i == ones.length || (j < others.length && others[j] <= ones[i]);
      union[count++] = isOne ? ones[i] : others[j];
      i += isOne ? 1 : 0;
      j += isOther ? 1 : 0;
    }
    return Arrays.copyOf(union, count);
  }

  /** Returns the Euclidean norm. */
  public static double norm(double[] a) {
    return Math.sqrt(dot(a, a));
  }

  /** Returns a + s b. */
  public static double[] plus(double[] a, double s, double[] b) {
    double[] sum = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      sum[i] = a[i] + s * b[i];
    }
    return sum;
  }

  /** Returns s a. */
  public static double[] scaled(double s, double[] a) {
    double[] scaled = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      scaled[i] = s * a[i];
    }
    return scaled;
  }

  /** Returns a, or where it is longer than a limit, its direction with that length. */
  public static double[] within(double limit, double[] a) {
    double norm = norm(a);
    return norm > limit ? scaled(limit / norm, a) : a;
  }
}
