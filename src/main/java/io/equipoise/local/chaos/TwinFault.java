package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Cluster;
import io.equipoise.local.cluster.ClusterException;
import io.equipoise.local.cluster.JobState;
import java.time.Duration;
import java.util.List;

/**
 * A second job is submitted under the same deployment, so that both would have the same
 * transactional ids and answer the same contexts. Its start must be refused. If it is not, it runs
 * for a while, and the judge sees what it did.
 */
record TwinFault() implements Fault {
  private static final Duration BOTH = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "twin-job";
  }

  @Override
  public long inject(Theatre theatre) throws InterruptedException {
    Cluster cluster = theatre.cluster();
    String first = theatre.job().id();
    try {
      cluster.submit(null);
    } catch (ClusterException e) {
      if (String.valueOf(e.getMessage()).contains("another job of deployment")) {
        return System.nanoTime();
      }
      throw e;
    }
    Thread.sleep(BOTH.toMillis());
    List<String> twins =
        cluster.rest().jobs().stream().map(JobState::id).filter(id -> !id.equals(first)).toList();
    twins.forEach(cluster.rest()::cancel);
    return System.nanoTime();
  }
}
