package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Injects one kind of fault. */
interface Fault {
  /** Returns the name that selects it, in kebab case. */
  String name();

  /** Returns how long a context sent after it may wait for its decision, if that is limited. */
  default Optional<Duration> budget() {
    return Optional.empty();
  }

  /**
   * Returns whether the fault exceeds what the job guarantees to survive. Then the auditor must
   * detect its effect. Such a fault gets its own deployment.
   */
  default boolean exceedsGuarantee() {
    return false;
  }

  /** Returns whether no context may arrive while it is injected. */
  default boolean isIdle() {
    return false;
  }

  /** Returns whether it cuts hosts off from each other, which requires {@code --hosts}. */
  default boolean needsHosts() {
    return false;
  }

  /** Returns whether it can be injected with {@code --hosts}. */
  default boolean worksOnHosts() {
    return needsHosts();
  }

  /** Returns options of the job that the fault needs. */
  default Map<String, String> settings() {
    return Map.of();
  }

  /** Returns the names of specs that it retires. Callers of the gateway do not ask for them. */
  default Set<String> retiredSpecs() {
    return Set.of();
  }

  /** Prepares the environment before anything is started. */
  default void prepare(ClusterLayout clusterLayout) throws InterruptedException {}

  /** Removes what {@link #prepare} created, after everything has ended. */
  default void dispose(ClusterLayout clusterLayout) throws InterruptedException {}

  FaultEffect inject(ChaosContext context) throws InterruptedException;

  /**
   * Reports the effect of a fault.
   *
   * @param doneAt {@link System#nanoTime} from which recovery counts: when the fault was injected,
   *     or when it ended if recovery is impossible before
   * @param violations observed by the fault itself and not visible on the topics
   */
  record FaultEffect(long doneAt, List<String> violations) {
    public FaultEffect {
      violations = List.copyOf(violations);
    }

    /** Returns an effect that is entirely visible on the topics. */
    static FaultEffect at(long nanoTime) {
      return new FaultEffect(nanoTime, List.of());
    }
  }
}
