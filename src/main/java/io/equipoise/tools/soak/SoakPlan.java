package io.equipoise.tools.soak;

import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A load, and the rule that its segments are under.
 *
 * @param length how long the load lasts
 * @param rate contexts a second
 * @param churn new segments a second
 * @param life how long a segment gets contexts
 * @param every pause between samples
 * @param idleAfter the rule's time; longer than a decision is remembered
 * @param keep what a segment keeps; null leaves the rule out
 * @param seed fixes people and segments
 */
record SoakPlan(
    Duration length,
    int rate,
    double churn,
    Duration life,
    Duration every,
    Duration idleAfter,
    @Nullable Retain keep,
    long seed) {
  /** The join's window, early horizon and dedup horizon, each. */
  static final Duration HORIZON = Duration.ofSeconds(5);

  /** Returns how long to wait until as many segments fall idle as are begun. */
  Duration warmUp() {
    Duration full = life.plus(HORIZON.multipliedBy(2)).plus(idleAfter).plus(HORIZON);
    Duration fifth = length.dividedBy(5);
    return full.compareTo(fifth) > 0 ? full : fifth;
  }

  /** Returns the number of the newest segment after a time. */
  long newest(double seconds) {
    return (long) (churn * seconds);
  }
}
