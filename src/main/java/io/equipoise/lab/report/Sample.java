package io.equipoise.lab.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Mean and standard error over trials; no standard error from one. */
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
}
