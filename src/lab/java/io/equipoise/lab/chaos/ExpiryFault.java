package io.equipoise.lab.chaos;

import io.equipoise.job.options.Topics;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterLayout;
import io.equipoise.tools.cluster.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;

/**
 * Stops the job with a savepoint, and starts it from there after the brokers have forgotten the
 * savepoint's transactional ids. The brokers forget them after seconds, for the whole run.
 */
record ExpiryFault() implements Fault {
  private static final List<String> BROKER_SETTINGS =
      List.of(
          "transactional.id.expiration.ms=15000",
          "transaction.remove.expired.transaction.cleanup.interval.ms=1000");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Override
  public String name() {
    return "expire-transactions";
  }

  @Override
  public void prepare(ClusterLayout clusterLayout) {
    try {
      Files.write(clusterLayout.brokerOverrides(), BROKER_SETTINGS);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + clusterLayout.brokerOverrides(), e);
    }
  }

  @Override
  public FaultEffect inject(ChaosContext context) {
    Cluster cluster = context.cluster();
    String savepoint = context.stopJob();
    Topics topics = context.config().topics();
    try (Admin admin = Admin.create(context.config().kafka())) {
      if (!Waiting.until(() -> isForgotten(admin, topics), PATIENCE)) {
        throw new ClusterException("the brokers keep transactional ids for longer than configured");
      }
    }
    long started = System.nanoTime();
    cluster.submit(savepoint);
    return FaultEffect.at(started);
  }

  private static boolean isForgotten(Admin admin, Topics topics) {
    try {
      return admin.listTransactions().all().get().stream()
          .noneMatch(it -> it.transactionalId().startsWith(topics.consumerGroup() + "."));
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot list transactions", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
