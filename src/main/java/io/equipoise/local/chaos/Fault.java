package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Layout;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One kind of thing that goes wrong. */
interface Fault {
  /** Returns the name by which it is chosen, lower-kebab. */
  String name();

  /** Returns in how much time the first new answer must be committed, if that is promised. */
  default Optional<Duration> budget() {
    return Optional.empty();
  }

  /**
   * Says whether the fault is beyond what the job promises to survive, so that what must be is that
   * the judge sees what it did. Such a fault gets a deployment of its own.
   */
  default boolean isBeyondPromise() {
    return false;
  }

  /** Returns options of the job that the fault needs. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /** Makes ready what must be there before anything is started. */
  default void prepare(Layout layout) throws InterruptedException {}

  /** Removes what {@link #prepare} made, after everything has ended. */
  default void dispose(Layout layout) throws InterruptedException {}

  /** Does the harm. */
  Harm inject(Theatre theatre) throws InterruptedException;
}
