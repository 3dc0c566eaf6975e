package io.equipoise.causal.bounds;

import java.util.Comparator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Computes the extreme means of values over all weights that form a distribution, each within its
 * own range: a fractional knapsack. Every weight gets its minimum; the rest of 1 goes to the best
 * values first.
 */
final class Mixture {
  private Mixture() {}

  /** Returns the smallest mean of the lower ends. */
  static double least(Range[] weights, Range[] values) {
    return mean(weights, values, Range::low, 1);
  }

  /** Returns the largest mean of the upper ends. */
  static double greatest(Range[] weights, Range[] values) {
    return mean(weights, values, Range::high, -1);
  }

  private static double mean(
      Range[] weights, Range[] values, ToDoubleFunction<Range> end, int sign) {
    double mean = 0;
    double left = 1;
    for (int i = 0; i < weights.length; i++) {
      mean += weights[i].low() * end.applyAsDouble(values[i]);
      left -= weights[i].low();
    }
    int[] order =
        IntStream.range(0, weights.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> sign * end.applyAsDouble(values[i])))
            .mapToInt(i -> i)
            .toArray();
    for (int i : order) {
      double more = Math.max(0, Math.min(left, weights[i].high() - weights[i].low()));
      mean += more * end.applyAsDouble(values[i]);
      left -= more;
    }
    return mean;
  }
}
