package io.equipoise.evidence;

/** Averages e-values that are given by their logarithms. */
public final class LogMeanExp {
  private LogMeanExp() {}

  /** Returns ln(mean of exp(log)); the greatest term is taken out, so that none overflows. */
  public static double of(double... logs) {
    double most = Double.NEGATIVE_INFINITY;
    for (double log : logs) {
      most = Math.max(most, log);
    }
    double sum = 0;
    for (double log : logs) {
      sum += StrictMath.exp(log - most);
    }
    return most + StrictMath.log(sum / logs.length);
  }
}
