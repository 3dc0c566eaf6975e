package io.equipoise.cli.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Computes mean and standard error over trials; one trial has no standard error. */
public record Sample(double mean, @Nullable Double standardError, int n) {
  /** Returns the sample of at least one value. */
  public static Sample of(List<Double> values) {
    int n = values.size();
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    double mean = sum / n;
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    return new Sample(mean, n > 1 ? Math.sqrt(squares / (n - 1) / n) : null, n);
  }

  /** Returns the sample of a metric over at least one trial. */
  public static <T> Sample of(List<T> trials, ToDoubleFunction<T> metric) {
    return of(trials.stream().map(metric::applyAsDouble).toList());
  }

  /** Returns the standard error, 0 for one trial. */
  public double error() {
    return standardError == null ? 0 : standardError;
  }
}
