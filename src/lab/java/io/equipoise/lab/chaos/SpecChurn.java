package io.equipoise.lab.chaos;

import io.equipoise.job.control.SpecPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.cluster.ClusterLayout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;

/**
 * Publishes the next version of some specs at a constant pace, also during faults. A version that
 * brokers do not take is published at the next time.
 */
final class SpecChurn implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(12);

  private final SpecPublisher publisher;
  private final ClusterLayout clusterLayout;
  private final List<ChangingSpec> specs;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private volatile boolean isPaused;
  private volatile int version = 1;

  /** Creates it for a deployment on a cluster, whose files of the specs it writes, too. */
  SpecChurn(JobConfig config, ClusterLayout clusterLayout, List<ChangingSpec> specs) {
    this.publisher = new SpecPublisher(config);
    this.specs = List.copyOf(specs);
    this.clusterLayout = clusterLayout;
  }

  void start() {
    if (specs.isEmpty()) {
      return;
    }
    var unused =
        timer.scheduleWithFixedDelay(
            this::publish, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  void pause() {
    isPaused = true;
  }

  void resume() {
    isPaused = false;
  }

  /** Returns the number of versions that were published. */
  int versions() {
    return version;
  }

  private void publish() {
    if (isPaused) {
      return;
    }
    int next = version + 1;
    try {
      ChangingSpec.writeAll(specs, clusterLayout, next);
      publisher.publish(specs.stream().map(it -> SpecParser.parse(it.text(next))).toList());
      version = next;
    } catch (StartRefusedException | KafkaException e) {
      // published again after the pause: the brokers are away
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
