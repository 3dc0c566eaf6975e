package io.equipoise.policy.linear;

/** States how many standard widths the index of a linear policy adds to the mean. */
public sealed interface Alpha {
  /** Takes the number that the spec states. */
  record Fixed(double alpha) implements Alpha {}

  /** Multiplies the standard deviation of the rewards that were learned. */
  record OfRewards(double width) implements Alpha {}

  /** 1 + sqrt(ln(2/delta)/2), Li et al. 2010: holds for one prediction. */
  record OfDelta(double delta) implements Alpha {}

  /** Takes the self-normalized bound, which holds for all features and all time at once. */
  record SelfNormalized(double delta) implements Alpha {}
}
