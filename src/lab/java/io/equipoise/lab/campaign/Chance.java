package io.equipoise.lab.campaign;

import io.equipoise.simulation.SplitMix;
import java.util.List;

/** Draws from one seeded stream: the choices of a world's maker, or of the people in it. */
final class Chance {
  private static final long STREAM = 0x9E3779B97F4A7C15L;

  /** Probabilities are whole thousandths, so that a spec states them exactly. */
  private static final int UNITS = 1000;

  private final SplitMix stream;

  /** Starts the stream of a number under a seed. */
  Chance(long seed, long number) {
    stream = new SplitMix(new SplitMix(seed).nextLong() ^ (number * STREAM));
  }

  /** Returns a uniform number in [0, 1). */
  double unit() {
    return stream.nextDouble();
  }

  double uniform(double low, double high) {
    return low + (high - low) * stream.nextDouble();
  }

  double gaussian() {
    return stream.nextGaussian();
  }

  /** Returns a whole number from 0 to below the count. */
  int below(int count) {
    return (int) (stream.nextDouble() * count);
  }

  boolean hits(double probability) {
    return stream.nextDouble() < probability;
  }

  double sign() {
    return hits(0.5) ? 1 : -1;
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  /** Returns random rows of a table, each level with at least some thousandths. */
  double[][] table(int rows, int levels) {
    double[][] table = new double[rows][];
    for (int row = 0; row < rows; row++) {
      double[] weights = new double[levels];
      for (int level = 0; level < levels; level++) {
        weights[level] = Math.exp(1.2 * gaussian());
      }
      table[row] = rounded(weights);
    }
    return table;
  }

  /**
   * Scales weights to probabilities in thousandths that sum to 1, of few levels none below 0.02.
   */
  static double[] rounded(double[] weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    int least = Math.min(UNITS / 50, UNITS / (2 * weights.length));
    int spare = UNITS - least * weights.length;
    int given = 0;
    double[] row = new double[weights.length];
    for (int level = 1; level < weights.length; level++) {
      int units = least + (int) (spare * weights[level] / sum);
      given += units;
      row[level] = units / (double) UNITS;
    }
    row[0] = (UNITS - given) / (double) UNITS;
    return row;
  }

  /** Returns a number in thousandths. */
  static double rounded(double number) {
    return Math.rint(number * UNITS) / UNITS;
  }
}
