package io.equipoise.tools;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Limits the arrival rate of rounds: constant from the first on, or unlimited. */
public final class ArrivalRate {
  private final @Nullable Integer perSecond;
  private final Clock clock;
  private @Nullable Long first;

  /**
   * Creates a rate.
   *
   * @param perSecond rounds per second; null for no limit
   */
  public ArrivalRate(@Nullable Integer perSecond, Clock clock) {
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /** Returns whether a round is due after {@code number} earlier ones; ask for 0 first. */
  public boolean isDue(long number) {
    if (perSecond == null) {
      return true;
    }
    long now = clock.millis();
    if (first == null) {
      first = now;
    }
    return (now - first) * perSecond >= TimeUnit.SECONDS.toMillis(number);
  }
}
