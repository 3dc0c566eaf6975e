package io.equipoise.lab.cclb;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers the last optimum found for a vector. Only looked up, never iterated. */
final class Starts {
  private final Map<VectorKey, double[]> optima = new HashMap<>();

  double @Nullable [] get(double[] x) {
    return optima.get(VectorKey.of(x));
  }

  void put(double[] x, double[] optimum) {
    optima.put(VectorKey.of(x), optimum);
  }
}
