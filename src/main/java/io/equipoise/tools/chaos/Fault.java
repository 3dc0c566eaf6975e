package io.equipoise.tools.chaos;

import io.equipoise.tools.cluster.ClusterLayout;
import java.time.Duration;
import java.util.List;
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
   * the auditor sees what it did. Such a fault gets a deployment of its own.
   */
  default boolean isBeyondPromise() {
    return false;
  }

  /** Returns options of the job that the fault needs. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /** Makes ready what must be there before anything is started. */
  default void prepare(ClusterLayout clusterLayout) throws InterruptedException {}

  /** Removes what {@link #prepare} made, after everything has ended. */
  default void dispose(ClusterLayout clusterLayout) throws InterruptedException {}

  /** Does the harm. */
  FaultEffect inject(ChaosContext context) throws InterruptedException;

  /**
   * What a fault did.
   *
   * @param doneAt {@link System#nanoTime} from which recovery counts: when the harm was done, or
   *     when it ended where nothing can go on before
   * @param violations what the fault itself saw that must not be, and the topics do not tell
   */
  record FaultEffect(long doneAt, List<String> violations) {
    public FaultEffect {
      violations = List.copyOf(violations);
    }

    /** Returns harm that the topics tell all about. */
    static FaultEffect at(long nanoTime) {
      return new FaultEffect(nanoTime, List.of());
    }
  }
}
