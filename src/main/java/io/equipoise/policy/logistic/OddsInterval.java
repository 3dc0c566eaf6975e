package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.EffectSize;

/**
 * An effect g(x . theta) - g(xc . theta) with an interval, factual minus counterfactual.
 *
 * @param estimate at the model's parameter; outside of the interval only where the ball cuts it off
 */
public record OddsInterval(double estimate, double lower, double upper) {
  /** Of an effect of which the features tell nothing. */
  static final OddsInterval ANY = new OddsInterval(0, -1, 1);

  /** Returns the size of the effect. */
  public EffectSize size() {
    return EffectSize.of(estimate, lower, upper);
  }
}
