package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Cluster;
import io.equipoise.local.cluster.JobState;
import java.time.Duration;
import java.util.List;

/**
 * A second job is submitted under the same deployment, so that both have the same transactional ids
 * and answer the same contexts; after a while it is cancelled. Nothing can undo what both wrote;
 * the judge must see it.
 */
record TwinFault() implements Fault {
  private static final Duration BOTH = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "twin-job";
  }

  @Override
  public boolean isBeyondPromise() {
    return true;
  }

  @Override
  public long inject(Theatre theatre) throws InterruptedException {
    Cluster cluster = theatre.cluster();
    String first = theatre.job().id();
    cluster.submit(null);
    Thread.sleep(BOTH.toMillis());
    List<String> twins =
        cluster.rest().jobs().stream().map(JobState::id).filter(id -> !id.equals(first)).toList();
    twins.forEach(cluster.rest()::cancel);
    return System.nanoTime();
  }
}
