package io.equipoise.tools.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Polls a condition with a deadline. */
public final class Waiting {
  private static final Duration PAUSE = Duration.ofMillis(100);

  private Waiting() {}

  /** Waits until the condition holds; returns whether it did in time. */
  public static boolean until(BooleanSupplier condition, Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new ClusterException("interrupted while waiting");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }
}
