package io.equipoise.policy.features;

import java.util.Arrays;

/**
 * Features that are not zero, with their places: what a {@link FeatureEncoder} makes of a person
 * and an arm. Mutable scratch that is filled again and again.
 */
public final class Entries {
  private static final int CAPACITY = 16;

  private int[] places = new int[CAPACITY];
  private double[] values = new double[CAPACITY];
  private int count;

  /** Returns how many features are not zero. */
  public int count() {
    return count;
  }

  /** Returns the place of the k-th entry; places ascend. */
  public int place(int k) {
    return places[k];
  }

  public double value(int k) {
    return values[k];
  }

  /** Writes the features into an array, those that are zero too. */
  public void copyTo(double[] out) {
    Arrays.fill(out, 0);
    for (int k = 0; k < count; k++) {
      out[places[k]] = values[k];
    }
  }

  /** Adds an entry, unless it is zero. */
  void add(int place, double value) {
    if (value == 0) {
      return;
    }
    if (count == places.length) {
      places = Arrays.copyOf(places, 2 * count);
      values = Arrays.copyOf(values, 2 * count);
    }
    places[count] = place;
    values[count] = value;
    count++;
  }

  void clear() {
    count = 0;
  }

  /** Takes the difference of two vectors. */
  void setDifference(Entries to, Entries from) {
    clear();
    int i = 0;
    int j = 0;
    while (i < to.count || j < from.count) {
      int place =
          Math.min(
              i < to.count ? to.places[i] : Integer.MAX_VALUE,
              j < from.count ? from.places[j] : Integer.MAX_VALUE);
      double there = i < to.count && to.places[i] == place ? to.values[i++] : 0;
      double here = j < from.count && from.places[j] == place ? from.values[j++] : 0;
      add(place, there - here);
    }
  }

  /**
   * Puts the products of two runs of entries in the place of both: left those from {@code from} on,
   * right those from {@code middle} on. What is not finite makes a product that is none, for a zero
   * that is left out has no finite product with it either.
   *
   * @param at place of the first product
   * @param width number of places of the right
   */
  void multiply(int from, int middle, int at, int width) {
    int end = count;
    boolean isFinite = true;
    for (int k = from; k < end; k++) {
      isFinite &= Double.isFinite(values[k]);
    }
    for (int i = from; isFinite && i < middle; i++) {
      for (int j = middle; j < end; j++) {
        add(at + places[i] * width + places[j], values[i] * values[j]);
      }
    }
    if (!isFinite) {
      add(at, Double.NaN);
    }
    int products = count - end;
    System.arraycopy(places, end, places, from, products);
    System.arraycopy(values, end, values, from, products);
    count = from + products;
  }
}
