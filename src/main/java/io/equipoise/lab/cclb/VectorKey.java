package io.equipoise.lab.cclb;

import java.util.ArrayList;
import java.util.List;

/** Compares vectors by their values; a zero equals a negative zero. */
record VectorKey(List<Double> places) {
  static VectorKey of(double[] x) {
    List<Double> places = new ArrayList<>(x.length);
    for (double value : x) {
      places.add(value + 0.0);
    }
    return new VectorKey(places);
  }
}
