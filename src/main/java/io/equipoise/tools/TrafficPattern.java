package io.equipoise.tools;

import java.time.Clock;
import java.util.List;

/**
 * Chooses the times and the segments of the rounds of a {@link TrafficDriver}. Times are ms since
 * the epoch, by default of the system's clock. The driver calls it in the sending thread, except
 * for {@link #rewardTime} and {@link #sendTime}.
 */
public interface TrafficPattern {
  /** Returns whether a round is due, by rate and back-pressure; asked in the order of rounds. */
  boolean isDue(long round);

  /** Returns the segments that receive a context in a round that is due. */
  List<String> segments(long round);

  /** Returns the event time of the contexts of a round; by default now. */
  default long contextTime(long round) {
    return Clock.systemUTC().millis();
  }

  /** Returns the event time of a round's rewards that are not late. */
  long rewardTime(long round);

  /** Returns when a record of a round is sent; by default at its event time. */
  default long sendTime(long eventTime, long round, String what) {
    return eventTime;
  }

  /** Returns the time up to which queued records are due. */
  default long queueTime(long nextRound) {
    return Clock.systemUTC().millis();
  }

  /**
   * Returns the share of contexts that are sent twice, and that are followed by an invalid record.
   */
  default double hostileShare() {
    return 0;
  }

  /** Called after a context was sent. */
  default void onContext(TrafficDriver driver, String segment, long round) {}
}
