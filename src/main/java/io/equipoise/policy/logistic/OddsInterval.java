package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.EffectSize;

/**
 * Bounds an effect f(x . theta) - f(xc . theta) on a {@link EffectScale}, factual minus
 * counterfactual.
 *
 * @param estimate at the model's parameter; outside of the interval only where the ball cuts it off
 */
public record OddsInterval(double estimate, double lower, double upper) {
  /** Returns the interval of an effect of which the features tell nothing. */
  static OddsInterval any(double greatest) {
    return new OddsInterval(0, -greatest, greatest);
  }

  /** Returns the size of the effect. */
  public EffectSize size() {
    return EffectSize.of(estimate, lower, upper);
  }
}
