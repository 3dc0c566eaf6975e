package io.equipoise.local.chaos;

import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.Consumers;
import io.equipoise.job.JobConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads committed decisions and segment events as they come, in a thread of its own. */
final class Answers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long REFRESH_NANOS = Duration.ofSeconds(3).toNanos();

  private final JobConfig config;
  private final Truth truth;
  private final Load load;
  private final io.equipoise.client.Answers answers = new io.equipoise.client.Answers();
  private final Thread thread = new Thread(this::read, "answers");
  private volatile boolean isClosed;
  private volatile @Nullable Throwable failure;

  Answers(JobConfig config, Truth truth, Load load) {
    this.config = config;
    this.truth = truth;
    this.load = load;
  }

  void start() {
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((reader, problem) -> failure = problem);
    thread.start();
  }

  /** Throws if the reader broke off. */
  void check() {
    Throwable problem = failure;
    if (problem != null) {
      throw new IllegalStateException("the reader of answers broke off", problem);
    }
  }

  private void read() {
    Map<String, String> more = Map.of("metadata.max.age.ms", "3000");
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(config.kafka(), more)) {
      long refreshed = System.nanoTime() - REFRESH_NANOS;
      while (!isClosed) {
        if (System.nanoTime() - refreshed >= REFRESH_NANOS) {
          refresh(consumer);
          refreshed = System.nanoTime();
        }
        if (!consumer.assignment().isEmpty()) {
          consumer.poll(POLL).forEach(this::take);
        }
      }
    }
  }

  /** Partitions may be added; while the broker is away the known ones stay. */
  private void refresh(Consumer<byte[], byte[]> consumer) {
    try {
      List<TopicPartition> all = new ArrayList<>();
      for (String topic : List.of(config.topics().decisions(), config.topics().segmentEvents())) {
        consumer
            .partitionsFor(topic, PATIENCE)
            .forEach(info -> all.add(new TopicPartition(topic, info.partition())));
      }
      if (consumer.assignment().size() != all.size()) {
        consumer.assign(all);
      }
    } catch (TimeoutException e) {
      LOG.debug("no broker tells of partitions; asked again at the next turn", e);
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(config.topics().decisions())) {
      answers.on(record).ifPresent(this::take);
    } else {
      SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(record.value());
      String id = segmentEvent.decisionId();
      if (segmentEvent.type() == SegmentEventType.REWARD_APPLIED && id != null) {
        truth.applied(segmentEvent.segment(), id);
      }
    }
  }

  private void take(Decision decision) {
    if (decision.isRepeated()) {
      return; // the context was answered before
    }
    if (truth.decided(decision.segment(), decision.decisionId(), System.nanoTime())) {
      load.decided(decision);
    }
  }

  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(Duration.ofSeconds(20).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
