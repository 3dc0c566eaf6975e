package io.equipoise.policy.constraint;

/**
 * Gives a reward model's scores of the candidates of one request, on the reward's scale. All that
 * the rules of this package know of a model.
 *
 * <p>Candidates and constraints are numbered from 0. Equal calls return equal values while the
 * model's state does not change.
 */
public interface CandidateScores {
  int candidates();

  /** Returns how many constraints there are; 0 for a policy without any. */
  int constraints();

  /** Returns the estimated mean reward. */
  double mean(int candidate);

  /** Returns the optimistic mean reward. */
  double optimistic(int candidate);

  /** Returns the size of the effect that a constraint limits, the largest over its alternatives. */
  EffectSize effect(int candidate, int constraint);

  /** Returns the estimate of {@link #effect} alone. */
  default double estimate(int candidate, int constraint) {
    return effect(candidate, constraint).estimate();
  }

  /** Returns bounds of {@link #effect}; a model to which it is costly answers them at less cost. */
  default EffectBounds bounds(int candidate, int constraint) {
    return EffectBounds.of(effect(candidate, constraint));
  }

  /** Returns bounds that may be wider and are cheaper still. */
  default EffectBounds roughBounds(int candidate, int constraint) {
    return bounds(candidate, constraint);
  }
}
