package io.equipoise.policy.constraint;

/**
 * Measures a counterfactual effect by its size, |Delta|, on the reward's scale.
 *
 * @param estimate |Delta| at the model's estimate
 * @param low least size that the interval allows
 * @param high greatest size that the interval allows
 */
public record EffectSize(double estimate, double low, double high) {
  /** No effect, known exactly: of a request without alternatives. */
  public static final EffectSize NONE = new EffectSize(0, 0, 0);

  /** Returns the size of a signed effect with the interval [lower, upper]. */
  public static EffectSize of(double effect, double lower, double upper) {
    return new EffectSize(
        Math.abs(effect),
        Math.max(0, Math.max(lower, -upper)),
        Math.max(Math.abs(lower), Math.abs(upper)));
  }

  /** Returns the size of the larger of two effects: the greatest of each component. */
  public EffectSize orLarger(EffectSize other) {
    return new EffectSize(
        Math.max(estimate, other.estimate), Math.max(low, other.low), Math.max(high, other.high));
  }
}
