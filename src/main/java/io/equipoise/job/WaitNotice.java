package io.equipoise.job;

import java.time.Duration;

/** Tells when it is time to say that something is waited for: after 5 s, then every 10 s. */
final class WaitNotice {
  static final Duration FIRST = Duration.ofSeconds(5);
  static final Duration AGAIN = Duration.ofSeconds(10);

  private long begun;
  private long next;

  /**
   * Begins to wait.
   *
   * @param now of a clock that never goes back, ns
   */
  WaitNotice(long now) {
    restart(now);
  }

  /** Begins anew, as what was waited for has moved on. */
  void restart(long now) {
    begun = now;
    next = now + FIRST.toNanos();
  }

  /** Says whether it is time, once for each time. */
  boolean isDue(long now) {
    if (now - next < 0) {
      return false;
    }
    next = now + AGAIN.toNanos();
    return true;
  }

  /** Returns for how long it has been waited. */
  Duration waited(long now) {
    return Duration.ofNanos(now - begun);
  }
}
