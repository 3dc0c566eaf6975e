package io.equipoise.gateway;

import io.equipoise.cli.VitalThread;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all committed records of a topic in a thread of its own, from some records before the end
 * on, without a consumer group. After an error of Kafka it starts again; any other ends the
 * process.
 *
 * <p>State: the time of the brokers' last reply, and whether the records that were there at a start
 * have been read; any thread may read both. Positions are not kept: after an error it begins again
 * before the end.
 */
final class TopicFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicFollower.class);

  /** Until everything is read that was there at the start. */
  private static final Duration FIRST_POLLS = Duration.ofMillis(200);

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PROBE_EVERY = Duration.ofSeconds(4);
  private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /**
   * Records of a gateway's topics may have 100 KB and more; the default is 50 MB a fetch. A fetch
   * of nothing waits at the broker, and so does the probe behind it; a record ends the wait.
   */
  private static final Map<String, String> SMALL_FETCHES =
      Map.of(
          "fetch.max.bytes", "4194304",
          "max.partition.fetch.bytes", "1048576",
          "fetch.max.wait.ms", "2000");

  private final Properties kafka;
  private final String topic;
  private final long before;
  private final Batch batch;
  private final Thread thread;
  private volatile boolean isStopped;
  private final CompletableFuture<Void> caughtUp = new CompletableFuture<>();
  private volatile long reached = System.nanoTime();

  /** Takes the records of one poll, possibly none, in the follower's thread. */
  @FunctionalInterface
  interface Batch {
    void on(ConsumerRecords<byte[], byte[]> records);
  }

  /**
   * Makes a follower; {@link #start} starts it.
   *
   * @param before how many offsets before the end of each partition it begins
   */
  TopicFollower(Properties kafka, String topic, long before, Batch batch) {
    this.kafka = kafka;
    this.topic = topic;
    this.before = before;
    this.batch = batch;
    this.thread = VitalThread.of(this::run, "gateway-" + topic);
  }

  void start() {
    thread.start();
  }

  /** Returns a future that ends when all is read that was on the topic at the start. */
  CompletableFuture<Void> caughtUp() {
    return caughtUp;
  }

  boolean isCaughtUp() {
    return caughtUp.isDone();
  }

  /** Returns how long ago the brokers replied last. */
  Duration silence() {
    return Duration.ofNanos(System.nanoTime() - reached);
  }

  private void run() {
    while (!isStopped) {
      try (Consumers.Following consumer = Consumers.following(kafka, SMALL_FETCHES)) {
        follow(consumer.consumer());
      } catch (KafkaException | IllegalStateException e) {
        LOG.warn("Topic {} cannot be read and is tried again: {}", topic, e.getMessage());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions = Consumers.partitions(consumer, topic);
    consumer.assign(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
    ends.forEach(
        (at, end) -> consumer.seek(at, Math.max(begins.getOrDefault(at, 0L), end - before)));
    long probed = System.nanoTime();
    reached = probed;
    while (!isStopped) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(isCaughtUp() ? POLL : FIRST_POLLS);
      batch.on(records);
      if (!isCaughtUp() && ends.entrySet().stream().allMatch(it -> isRead(consumer, it))) {
        caughtUp.complete(null);
      }
      long now = System.nanoTime();
      if (!records.isEmpty()) {
        reached = now;
      } else if (now - probed > PROBE_EVERY.toNanos()) {
        probed = now;
        probe(consumer, partitions);
      }
    }
  }

  private static boolean isRead(
      Consumer<byte[], byte[]> consumer, Map.Entry<TopicPartition, Long> end) {
    return consumer.position(end.getKey()) >= end.getValue();
  }

  private void probe(Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    try {
      var unused = consumer.endOffsets(partitions, PROBE_TIMEOUT);
      reached = System.nanoTime();
    } catch (org.apache.kafka.common.errors.TimeoutException e) {
      LOG.warn("The brokers do not reply about topic {}", topic);
    }
  }

  @Override
  public void close() {
    isStopped = true;
    LockSupport.unpark(thread);
    try {
      thread.join(PROBE_TIMEOUT.multipliedBy(2).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
