package io.equipoise.policy.bestarm;

/**
 * Bounds an arm's effect zeta^{s,s'}; the interval of zeta^{s',s} is its mirror image.
 *
 * <p>A lower end above the upper one says that the samples refute the supplied tables: it decides
 * nothing.
 */
record EffectInterval(double lower, double upper) {
  /** Returns whether the whole interval is within a bound. */
  boolean isWithin(double bound) {
    return lower <= upper && reach() < bound;
  }

  /** Returns whether the whole interval is beyond a bound, on one side. */
  boolean isBeyond(double bound) {
    return lower <= upper && (lower > bound || upper < -bound);
  }

  /** Returns the greatest absolute effect in the interval. */
  double reach() {
    return Math.max(Math.abs(lower), Math.abs(upper));
  }
}
