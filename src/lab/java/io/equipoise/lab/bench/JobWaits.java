package io.equipoise.lab.bench;

import io.equipoise.client.Answers;
import io.equipoise.event.Decision;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Measures the job alone while others load it: the time from the broker's log-append time of each
 * context until a poll of this consumer returns its decision, ms.
 */
final class JobWaits implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(5);

  private final JobConfig config;
  private final Clock clock = Clock.systemUTC();
  private final Map<String, Long> appended = new HashMap<>();
  private final Map<String, Long> visible = new HashMap<>();
  private final List<Double> waits = new ArrayList<>();
  private final Consumer<byte[], byte[]> consumer;
  private final Thread thread = new Thread(this::read, "job-waits");
  private volatile boolean isReading = true;
  private volatile @Nullable RuntimeException failure;

  /** Measures the contexts that are appended from now on. */
  JobWaits(JobConfig config) {
    this.config = config;
    consumer = Consumers.uncommitted(config.kafka(), Map.of());
    List<TopicPartition> partitions = new ArrayList<>();
    partitions.addAll(Consumers.partitions(consumer, config.topics().contexts()));
    partitions.addAll(Consumers.partitions(consumer, config.topics().decisions()));
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    thread.setDaemon(true);
    thread.start();
  }

  private void read() {
    Answers answers = new Answers();
    try (consumer) {
      while (isReading) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          if (record.topic().equals(config.topics().contexts())) {
            seen(appended, record.partition() + "@" + record.offset(), record.timestamp());
          } else {
            answers.on(record).ifPresent(this::decided);
          }
        }
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void decided(Decision decision) {
    seen(visible, decision.source().partition() + "@" + decision.source().offset(), clock.millis());
  }

  /** The poll that returns a decision may return it before its context. */
  private void seen(Map<String, Long> times, String context, long time) {
    times.put(context, time);
    Long from = appended.get(context);
    Long to = visible.get(context);
    if (from != null && to != null) {
      waits.add((double) Math.max(0, to - from));
      appended.remove(context);
      visible.remove(context);
    }
  }

  /** Ends the measurement and returns the waits. */
  List<Double> end() throws InterruptedException {
    close();
    thread.join();
    if (failure != null) {
      throw new IllegalStateException("the reader of decisions failed", failure);
    }
    return waits;
  }

  @Override
  public void close() {
    isReading = false;
  }
}
