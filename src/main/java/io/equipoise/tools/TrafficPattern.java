package io.equipoise.tools;

import java.time.Clock;
import java.util.List;

/**
 * When the rounds of a {@link TrafficDriver} come, and to which segments. Times are ms since the
 * epoch, by default those of the system's clock. The driver calls it from the thread that sends,
 * except for {@link #rewardTime} and {@link #sendTime}.
 */
public interface TrafficPattern {
  /** Returns whether a round comes now, by rate and back-pressure; asked in the order of rounds. */
  boolean isDue(long round);

  /** Returns the segments that get a context in a round that is due. */
  List<String> segments(long round);

  /** Returns the event time of the contexts of a round. */
  default long contextTime(long round) {
    return Clock.systemUTC().millis();
  }

  /** Returns the event time of the rewards of a round, if they are not late. */
  long rewardTime(long round);

  /** Returns when a record of a round, with an event time, is sent. */
  default long sendTime(long eventTime, long round, String what) {
    return eventTime;
  }

  /** Returns the time up to which queued records are sent now. */
  default long queueTime(long nextRound) {
    return Clock.systemUTC().millis();
  }

  /** Returns the share of contexts that are sent twice, and that are followed by a bad record. */
  default double hostileShare() {
    return 0;
  }

  /** Is called when a context was sent. */
  default void onContext(TrafficDriver driver, String segment, long round) {}
}
