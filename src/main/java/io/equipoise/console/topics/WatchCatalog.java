package io.equipoise.console.topics;

import io.equipoise.console.state.Aggregator;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the challengers and group monitors of a deployment. Reads the topic {@code watch} when a
 * document asks for them, at most once in ten seconds. Thread-safe.
 */
public final class WatchCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(WatchCatalog.class);
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final JobConfig config;
  private final Aggregator into;
  private @Nullable Long readAt;

  public WatchCatalog(JobConfig config, Aggregator into) {
    this.config = config;
    this.into = into;
  }

  public synchronized void refresh() {
    long now = System.nanoTime();
    if (readAt != null && now - readAt < PAUSE.toNanos()) {
      return;
    }
    readAt = now;
    try {
      into.watched(WatchLedger.read(config));
    } catch (KafkaException e) {
      LOG.warn("The console cannot read challengers and group monitors: {}", e.getMessage());
    }
  }
}
