package io.equipoise.local.chaos;

import io.equipoise.local.cluster.Cluster;
import io.equipoise.local.cluster.ClusterException;
import io.equipoise.local.cluster.JobState;
import java.time.Duration;
import java.util.List;

/**
 * A second job is submitted under the same deployment, so that both would have the same
 * transactional ids and answer the same contexts. Its start must be refused: that it happened to do
 * no harm is no excuse. If it is not, it runs for a while, so that the judge also sees what it did.
 */
record TwinFault() implements Fault {
  static final String NOT_REFUSED = "a second job under the same deployment was not refused";

  private static final String REFUSAL = "another job of deployment";
  private static final Duration BOTH = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "twin-job";
  }

  @Override
  public Harm inject(Theatre theatre) throws InterruptedException {
    Cluster cluster = theatre.cluster();
    String first = theatre.job().id();
    Harm harm = start(() -> cluster.submit(null));
    if (harm.violations().isEmpty()) {
      return harm;
    }
    Thread.sleep(BOTH.toMillis());
    List<String> twins =
        cluster.rest().jobs().stream().map(JobState::id).filter(id -> !id.equals(first)).toList();
    twins.forEach(cluster.rest()::cancel);
    return new Harm(System.nanoTime(), harm.violations());
  }

  /**
   * Starts the second job.
   *
   * @throws ClusterException if the start failed for another reason than that it was refused
   */
  static Harm start(Runnable second) {
    try {
      second.run();
    } catch (ClusterException e) {
      if (String.valueOf(e.getMessage()).contains(REFUSAL)) {
        return Harm.at(System.nanoTime());
      }
      throw e;
    }
    return new Harm(System.nanoTime(), List.of(NOT_REFUSED));
  }
}
