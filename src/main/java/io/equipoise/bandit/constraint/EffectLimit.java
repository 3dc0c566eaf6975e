package io.equipoise.bandit.constraint;

/**
 * A limit on the size of an effect.
 *
 * @param tau threshold, above 0, on the reward's scale
 * @param eps tightness, from 0 to below tau: what the policy aims below the threshold
 */
public record EffectLimit(double tau, double eps) {
  public EffectLimit {
    if (!(eps >= 0 && eps < tau && tau < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "eps must be from 0 to below tau, but tau is " + tau + " and eps " + eps);
    }
  }

  /** Returns tau - eps, the limit that selection holds. */
  public double tight() {
    return tau - eps;
  }
}
