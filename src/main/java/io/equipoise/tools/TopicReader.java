package io.equipoise.tools;

import io.equipoise.client.Answers;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the job's committed records from the beginning, like any consumer of its topics. Tolerates
 * added partitions and a broker that is down for a while.
 *
 * <p>Either the caller calls {@link #poll}, or a thread does after {@link #start}.
 *
 * <p>State: the consumer's positions, which survive an outage of the brokers. Only the polling
 * thread uses them; {@link #close} and {@link #check} may come from any thread.
 */
public final class TopicReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration END = Duration.ofSeconds(20);
  private static final Duration REFRESH = Duration.ofSeconds(3);

  private final Topics topics;
  private final List<String> read;
  private final Listener listener;
  private final Answers answers = new Answers();
  private final Consumer<byte[], byte[]> consumer;
  private long refreshed = System.nanoTime() - REFRESH.toNanos();
  private @Nullable Thread thread;
  private volatile boolean isClosed;
  private volatile @Nullable Throwable failure;

  /** Receives every committed record, in the order of each partition. */
  public interface Listener {
    void on(Decision decision);

    void on(SegmentEvent event);

    default void on(SegmentMetrics metrics) {}

    default void on(DeadLetter deadLetter) {}
  }

  /**
   * Opens a consumer.
   *
   * @param read some of the topics of decisions, segment events, metrics and dead deadLetters
   */
  public TopicReader(JobConfig config, List<String> read, Listener listener) {
    this.topics = config.topics();
    this.read = List.copyOf(read);
    this.listener = listener;
    Map<String, String> more = Map.of("metadata.max.age.ms", Long.toString(REFRESH.toMillis()));
    consumer = Consumers.committed(config.kafka(), more);
  }

  /** Starts a thread that reads until the reader is closed. */
  public void start() {
    Thread started = new Thread(this::readOn, "topic-reader");
    started.setDaemon(true);
    started.setUncaughtExceptionHandler((reader, problem) -> failure = problem);
    thread = started;
    started.start();
  }

  /** Throws if the thread ended with an exception. */
  public void check() {
    if (failure != null) {
      throw new IllegalStateException("the reader of the job's topics failed", failure);
    }
  }

  private void readOn() {
    try (consumer) {
      while (!isClosed) {
        poll(POLL);
      }
    }
  }

  /** Delivers new records, waiting up to a timeout; returns their number. */
  public int poll(Duration atMost) {
    if (System.nanoTime() - refreshed >= REFRESH.toNanos()) {
      refresh();
      refreshed = System.nanoTime();
    }
    if (consumer.assignment().isEmpty()) {
      LockSupport.parkNanos(atMost.toNanos());
      return 0;
    }
    int count = 0;
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
      pass(record);
      count++;
    }
    return count;
  }

  /** Looks for added partitions; while the broker is down, the known ones stay. */
  private void refresh() {
    try {
      List<TopicPartition> all = new ArrayList<>();
      for (String topic : read) {
        consumer
            .partitionsFor(topic, PATIENCE)
            .forEach(found -> all.add(new TopicPartition(topic, found.partition())));
      }
      if (consumer.assignment().size() != all.size()) {
        consumer.assign(all);
      }
    } catch (TimeoutException e) {
      LOG.debug("no broker returns the partitions; the next refresh tries again", e);
    }
  }

  private void pass(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    if (topic.equals(topics.decisions())) {
      answers.on(record).ifPresent(listener::on);
    } else if (topic.equals(topics.segmentEvents())) {
      listener.on(Wire.SEGMENT_EVENT.decode(record.value()));
    } else if (topic.equals(topics.metrics())) {
      listener.on(Wire.METRICS.decode(record.value()));
    } else {
      listener.on(Wire.DEAD_LETTER.decode(record.value()));
    }
  }

  @Override
  public void close() {
    isClosed = true;
    Thread started = thread;
    if (started == null) {
      consumer.close();
      return;
    }
    try {
      started.join(END.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
