package io.equipoise.job;

import java.time.Duration;

/** Limits log messages about a wait: the first is due after 5 s, further ones every 10 s. */
final class WaitNotice {
  static final Duration FIRST = Duration.ofSeconds(5);
  static final Duration AGAIN = Duration.ofSeconds(10);

  private long begun;
  private long next;

  /**
   * Starts a wait.
   *
   * @param now monotonic time, ns
   */
  WaitNotice(long now) {
    restart(now);
  }

  /** Restarts the wait after progress. */
  void restart(long now) {
    begun = now;
    next = now + FIRST.toNanos();
  }

  /** Returns whether a message is due; true once for each due time. */
  boolean isDue(long now) {
    if (now - next < 0) {
      return false;
    }
    next = now + AGAIN.toNanos();
    return true;
  }

  Duration waited(long now) {
    return Duration.ofNanos(now - begun);
  }
}
