package io.equipoise.tools.demo;

import io.equipoise.tools.TrafficChance;
import java.time.Duration;
import java.time.Instant;

/**
 * Computes the event time of the demo: one person per second from a Monday morning in the past on,
 * so that windows of half an hour close during the demo.
 */
record SimulatedTime(TrafficChance trafficChance) {
  private static final long START = Instant.parse("2026-01-05T08:00:00Z").toEpochMilli();
  private static final long STEP_MILLIS = 1000;

  /** Less than the default of equipoise.time.max-out-of-orderness. */
  private static final double CONTEXT_JITTER_MILLIS = 3000;

  private static final double MEAN_DELAY_MILLIS = 60_000;
  private static final double MOST_DELAY_MILLIS = 300_000;
  private static final double MOST_TRANSPORT_MILLIS = 30_000;

  /** Returns when the context of a round is sent. */
  long of(long round) {
    return START + round * STEP_MILLIS;
  }

  /** Returns the event time of a round's context: jittered, so that some overtake others. */
  long contextTime(long round) {
    return of(round) - (long) (trafficChance.of("context jitter", round) * CONTEXT_JITTER_MILLIS);
  }

  /** Returns the event time of a round's reward, minutes later: exponential with a cap. */
  long rewardTime(long round) {
    double delay = -MEAN_DELAY_MILLIS * StrictMath.log(1 - trafficChance.of("delay", round));
    return contextTime(round) + (long) Math.min(delay, MOST_DELAY_MILLIS);
  }

  /** Returns the send time of a record of a round: rewards overtake each other. */
  long sentAt(long time, long round, String what) {
    return time + (long) (trafficChance.of("transport of " + what, round) * MOST_TRANSPORT_MILLIS);
  }

  /** Returns a time by which all windows of this length have closed. */
  long afterAll(long rounds, Duration window) {
    return of(rounds) + 4 * window.toMillis();
  }
}
