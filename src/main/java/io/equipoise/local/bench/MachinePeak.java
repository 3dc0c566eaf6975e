package io.equipoise.local.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** Measures what one core of this machine can do at best, in plain Java: products and reading. */
final class MachinePeak {
  private static final int SMALL = 2048;
  private static final int LARGE = 1 << 23;
  private static final int REPEATS = 20;

  private MachinePeak() {}

  /** Returns the best of several tries. */
  static Map<String, Object> measure() {
    double[] small = new double[SMALL];
    double[] target = new double[SMALL];
    double[] large = new double[LARGE];
    double flops = 0;
    double bytes = 0;
    double sink = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      long start = System.nanoTime();
      for (int i = 0; i < 4000; i++) {
        addMultiple(target, 1e-3, small);
      }
      flops = Math.max(flops, 2.0 * 4000 * SMALL / (System.nanoTime() - start));
      start = System.nanoTime();
      sink += sum(large);
      bytes = Math.max(bytes, 8.0 * LARGE / (System.nanoTime() - start));
    }
    Map<String, Object> peak = new LinkedHashMap<>();
    peak.put("gigaflopsInCache", flops);
    peak.put("gigabytesASecondFromMemory", bytes);
    peak.put("sink", sink + target[0]);
    return peak;
  }

  private static void addMultiple(double[] y, double scale, double[] x) {
    for (int i = 0; i < y.length; i++) {
      y[i] += scale * x[i];
    }
  }

  private static double sum(double[] values) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    for (int i = 0; i < values.length; i += 8) {
      a += values[i] + values[i + 1];
      b += values[i + 2] + values[i + 3];
      c += values[i + 4] + values[i + 5];
      d += values[i + 6] + values[i + 7];
    }
    return a + b + c + d;
  }
}
