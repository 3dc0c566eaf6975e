package io.equipoise.tools;

import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** At what rate people come by: a steady one from the first on, or as fast as they are served. */
public final class Pace {
  private final @Nullable Integer perSecond;
  private final Clock clock;
  private @Nullable Long first;

  /**
   * Creates a pace.
   *
   * @param perSecond people a second; null lets them come as fast as they are served
   */
  public Pace(@Nullable Integer perSecond, Clock clock) {
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /** Says whether a person has come, of whom {@code number} came before; asks begin with 0. */
  public boolean hasCome(long number) {
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
