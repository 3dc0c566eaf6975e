package io.equipoise.policy.bestarm;

import java.util.OptionalDouble;

/**
 * Sets how an experiment runs on live traffic.
 *
 * @param key the experiment's id, for draws and records
 * @param version of its configuration; any change of arms, tables, T, B or E is a new version
 * @param seed of its urn
 * @param control the arm of those who are not counted
 * @param windowMillis how long a pull waits for its outcome, in event time
 * @param defaultReward what a pull without an outcome counts as when its window closes; empty to
 *     leave it out of the sums
 * @param minClosedFraction the share of a phase's windows that must have closed before the next
 *     phase opens: 1 to wait for all. Below 1 outcomes enter when their window closes, whatever
 *     they are, so that quick ones are not preferred
 */
public record RunSettings(
    String key,
    int version,
    long seed,
    int control,
    long windowMillis,
    OptionalDouble defaultReward,
    double minClosedFraction) {
  /**
   * Checks what can be checked without a design.
   *
   * @throws IllegalArgumentException with what is wrong and what is allowed
   */
  public RunSettings {
    if (windowMillis <= 0) {
      throw new IllegalArgumentException("the window must be above 0 ms, not " + windowMillis);
    }
    if (!(minClosedFraction > 0 && minClosedFraction <= 1)) {
      throw new IllegalArgumentException("the share of closed windows must be in (0, 1]");
    }
    if (defaultReward.isPresent() && !isReward(defaultReward.getAsDouble())) {
      throw new IllegalArgumentException(
          "the default reward must be in [0, 1], not " + defaultReward.getAsDouble());
    }
  }

  static boolean isReward(double reward) {
    return reward >= 0 && reward <= 1;
  }

  /** Returns whether a phase may end while outcomes are awaited. */
  boolean isGraceful() {
    return minClosedFraction < 1;
  }
}
