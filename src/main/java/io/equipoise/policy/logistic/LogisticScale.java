package io.equipoise.policy.logistic;

/**
 * States what is assumed of the model P(y = 1 | x) = g(x . theta) (Chen, Tian and Quinn 2025,
 * section 2): features have a norm of at most 1, the parameter one of at most S.
 *
 * @param n dimension of features and parameter
 * @param s the bound S on the parameter's norm
 * @param lambda the prior's precision: n / S^2 for the n that the model started with
 */
public record LogisticScale(int n, double s, double lambda) {
  private static final double ROUNDING = 1e-9;

  public LogisticScale {
    if (n < 1 || !isPositive(s) || !isPositive(lambda)) {
      throw new IllegalArgumentException(
          "a logistic model needs n of at least 1, S and lambda above 0, but n is %d, S %s, lambda %s"
              .formatted(n, s, lambda));
    }
  }

  /** Returns the scale of a model that starts in n dimensions. */
  public LogisticScale(int n, double s) {
    this(n, s, n / (s * s));
  }

  private static boolean isPositive(double value) {
    return value > 0 && value < Double.POSITIVE_INFINITY;
  }

  /** Returns whether a vector has n finite places and a norm of at most 1, up to rounding. */
  public boolean isFeature(double[] x) {
    return x.length == n && isAtMostOne(Vectors.norm(x));
  }

  /** Returns whether a norm is at most 1, up to rounding. */
  static boolean isAtMostOne(double norm) {
    return norm <= 1 + ROUNDING;
  }

  /**
   * Refuses what is no feature vector.
   *
   * @throws IllegalArgumentException with the length and norm that it has, and what to do
   */
  public void check(double[] x) {
    if (!isFeature(x)) {
      throw new IllegalArgumentException(
          String.format(
              "features of length %d and norm %s; the model takes length %d and a norm of at most"
                  + " 1: divide a longer vector by its norm",
              x.length, Vectors.norm(x), n));
    }
  }

  /** Returns whether a reward is one that the model can learn: exactly 0 or 1. */
  public static boolean isReward(double y) {
    return y == 0 || y == 1;
  }

  public static void checkReward(double y) {
    if (!isReward(y)) {
      throw new IllegalArgumentException(
          "reward " + y + "; a logistic model learns from 0 and 1 only");
    }
  }
}
