package io.equipoise.policy.constraint;

/**
 * Limits the size of an effect.
 *
 * @param tau threshold, above 0, in the unit of the effect
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

  /**
   * Returns whether the upper end of an effect's size exceeds the limit by no more than a slack:
   * high &lt;= tau - eps + slack. With a slack of 0 such an effect is certified.
   *
   * <p>The rules over cells and ridge regressions add the slack to the limit. {@link Excess}
   * subtracts the limit from the upper end, which rounds differently; replays depend on both.
   */
  public boolean admits(double high, double slack) {
    return high <= tight() + slack;
  }

  /** Returns whether an effect is not known to exceed the limit: low <= tau - eps. */
  public boolean mayHold(double low) {
    return low <= tight();
  }
}
