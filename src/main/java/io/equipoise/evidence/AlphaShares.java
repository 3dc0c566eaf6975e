package io.equipoise.evidence;

/** Divides a probability of error among candidates that register over time, in batches. */
public final class AlphaShares {
  private AlphaShares() {}

  /**
   * Returns the share of each candidate of a batch: alpha (1/j - 1/(j + m)) / m. The shares of all
   * batches sum to at most alpha (docs/math/watch.md#shares).
   *
   * @param first number j of the batch's first candidate, from 1
   * @param batch number m of candidates
   */
  public static double share(double alpha, int first, int batch) {
    return alpha * (1.0 / first - 1.0 / (first + batch)) / batch;
  }
}
