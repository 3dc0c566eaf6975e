package io.equipoise.bandit.logistic;

import io.equipoise.bandit.constraint.EffectSize;

/**
 * An effect g(x . theta) - g(xc . theta) with an interval, factual minus counterfactual.
 *
 * @param estimate at the model's parameter; outside of the interval only where the ball cuts it off
 */
public record EffectInterval(double estimate, double lower, double upper) {
  /** Returns the size of the effect. */
  public EffectSize size() {
    return EffectSize.of(estimate, lower, upper);
  }
}
