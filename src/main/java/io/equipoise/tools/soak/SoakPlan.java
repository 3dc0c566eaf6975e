package io.equipoise.tools.soak;

import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A load, and the idle-state rule of its segments.
 *
 * @param length duration of the load
 * @param rate contexts per second
 * @param churn new segments per second
 * @param life how long a segment receives contexts
 * @param every time between samples
 * @param idleAfter the rule's time; longer than the dedup window
 * @param keep what an idle segment retains; null omits the rule
 * @param seed of people and segments
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
  /** The reward window, early-reward timeout and dedup window, each. */
  static final Duration HORIZON = Duration.ofSeconds(5);

  /** Returns the time until as many segments become idle as are created. */
  Duration warmUp() {
    Duration full = life.plus(HORIZON.multipliedBy(2)).plus(idleAfter).plus(HORIZON);
    Duration fifth = length.dividedBy(5);
    return full.compareTo(fifth) > 0 ? full : fifth;
  }

  /** Returns the index of the newest segment after a time. */
  long newest(double seconds) {
    return (long) (churn * seconds);
  }
}
