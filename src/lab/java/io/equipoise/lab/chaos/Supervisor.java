package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterProcess;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Restarts processes that died, like a container supervisor. */
final class Supervisor implements AutoCloseable {
  private static final long PAUSE_MILLIS = 200;

  private final Cluster cluster;
  private final Set<ClusterProcess> held = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private volatile @Nullable RuntimeException failure;

  Supervisor(Cluster cluster) {
    this.cluster = cluster;
  }

  void start() {
    var unused = timer.scheduleWithFixedDelay(this::look, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Does not restart a process until {@link #release}. */
  void hold(ClusterProcess clusterProcess) {
    held.add(clusterProcess);
  }

  void release(ClusterProcess clusterProcess) {
    held.remove(clusterProcess);
  }

  /** Throws if the last attempt to start a member failed. */
  void check() {
    RuntimeException problem = failure;
    if (problem != null) {
      throw new IllegalStateException("cannot restart a process", problem);
    }
  }

  private void look() {
    try {
      for (ClusterProcess clusterProcess : cluster.members()) {
        if (!held.contains(clusterProcess)) {
          cluster.start(clusterProcess);
        }
      }
      failure = null;
    } catch (RuntimeException e) {
      failure = e; // tried again at the next check
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try {
      timer.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
