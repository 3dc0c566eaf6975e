package io.equipoise.policy.logistic;

/**
 * Computes the squared radius b2 of the confidence set, a difference of log losses
 * (docs/math/logistic.md#the-radius). An ellipsoid has the radius sqrt(2 b2).
 *
 * @param alpha failure probability, in (0, 1)
 * @param scale factor of b2; 1 but for policies that were tuned, never for an audit
 */
public record ConfidenceRadius(RadiusKind kind, double alpha, double scale) {
  /** The audit's in a segment, whatever its policy uses. */
  public static ConfidenceRadius ofAudit(double alpha) {
    return new ConfidenceRadius(RadiusKind.BIASED_LAPLACE, alpha, 1);
  }

  public ConfidenceRadius {
    if (!(alpha > 0 && alpha < 1 && scale > 0 && scale < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "a radius needs alpha in (0, 1) and a scale above 0, but alpha is "
              + alpha
              + " and the scale "
              + scale);
    }
  }

  /**
   * Returns b2.
   *
   * @param rewards rewards learned
   * @param logDet log det H of the curvature
   * @param squaredNorm |theta|^2 of the estimate
   */
  double squared(LogisticScale scale, long rewards, double logDet, double squaredNorm) {
    int n = scale.n();
    double s = scale.s();
    double failure = StrictMath.log(1 / alpha);
    double t = Math.max(1, rewards);
    double b2 =
        switch (kind) {
          case LEE24 ->
              10 * n * StrictMath.log(s * t / (4 * n) + Math.E) + 2 * (Math.E - 2 + s) * failure;
          case LEE24B -> failure + n * StrictMath.log(Math.max(Math.E, 2 * Math.E * s * t / n));
          case LAPLACE -> failure + laplace(scale, logDet, squaredNorm);
          case BIASED_LAPLACE ->
              failure + laplace(scale, logDet, squaredNorm) + scale.lambda() / 2 * s * s;
        };
    return this.scale * b2;
  }

  private static double laplace(LogisticScale scale, double logDet, double squaredNorm) {
    return (logDet - scale.n() * StrictMath.log(scale.lambda())) / 2
        + scale.lambda() / 2 * squaredNorm;
  }
}
