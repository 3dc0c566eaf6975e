package io.equipoise.policy.logistic;

import io.equipoise.event.EffectUnit;

/**
 * Selects the scale of effects: a growing function f of log odds, so that an effect is f(x . theta)
 * - f(xc . theta) (docs/math/logistic.md#limits-on-log-odds).
 */
enum EffectScale {
  /** Effects on the probability of a reward of 1; f = g. */
  PROBABILITY,
  /** Effects on its log odds; f is the identity. */
  LOG_ODDS;

  static EffectScale of(EffectUnit unit) {
    return unit == EffectUnit.REWARD ? PROBABILITY : LOG_ODDS;
  }

  /** Returns f(z). */
  double at(double z) {
    return this == PROBABILITY ? Logistic.mean(z) : z;
  }

  /** Returns f'(z). */
  double slope(double z) {
    return this == PROBABILITY ? Logistic.slope(z) : 1;
  }

  /** Returns the greatest size of an effect that the model allows. */
  double greatest(LogisticScale model) {
    return this == PROBABILITY ? 1 : 2 * model.s();
  }

  /** Returns the difference of log odds that a threshold allows at even odds. */
  double atEvenOdds(double tau) {
    return this == PROBABILITY ? 2 * (StrictMath.log1p(tau) - StrictMath.log1p(-tau)) : tau;
  }
}
