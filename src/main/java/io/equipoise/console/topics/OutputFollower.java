package io.equipoise.console.topics;

import io.equipoise.cli.VitalThread;
import io.equipoise.console.state.Aggregator;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Brokers;
import io.equipoise.job.topics.Consumers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the outputs of a deployment from the recent past on and follows them, in its own thread.
 * Has no consumer group and commits nothing. Reads committed records only.
 *
 * <p>Experiments are read from their beginning: they are few, and a phase may be old. If the
 * brokers fail, it reports the failure and goes on at the same offsets when they are back.
 *
 * <p>State: the next offset of each partition, which only the own thread uses and which outlives a
 * consumer that failed. {@link #status} is replaced after each poll; any thread may read it.
 */
public final class OutputFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutputFollower.class);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(20);
  private static final long END_MILLIS = 15_000;
  private static final int LIVE_BEHIND = 1_000;

  /** Time after records without a backlog, to avoid a fetch per record. */
  private static final Duration FETCH_PAUSE = Duration.ofMillis(100);

  /** Records that are not read yet and are read without a pause. */
  private static final int BACKLOG = 500;

  /**
   * Fetches must not need much memory; the default is 50 MB. A fetch of nothing waits at the
   * broker.
   */
  private static final Map<String, String> SMALL_FETCHES =
      Map.of(
          "fetch.max.bytes", "8388608",
          "max.partition.fetch.bytes", "1048576",
          "fetch.max.wait.ms", "2000");

  private final JobConfig config;
  private final Aggregator into;
  private final Duration history;
  private final Clock clock;
  private final Map<String, LogTopic> topics = new LinkedHashMap<>();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private final Thread thread;
  private volatile boolean isClosed;
  private volatile Status status = new Status("STARTING", 0, null, List.of());

  /**
   * Reports how far the follower is.
   *
   * @param state STARTING, CATCHING_UP, LIVE or FAILED
   * @param behind committed records that are not read yet
   * @param error why it failed; null otherwise
   */
  public record Status(
      String state, long behind, @Nullable String error, List<TopicStatus> topics) {}

  /** Counts the partitions of one topic and its records that are not read yet. */
  public record TopicStatus(String topic, int partitions, long behind) {}

  /**
   * Prepares a follower.
   *
   * @param history how far in the past it begins
   */
  public OutputFollower(JobConfig config, Aggregator into, Duration history, Clock clock) {
    this.config = config;
    this.into = into;
    this.history = history;
    this.clock = clock;
    LogTopic.OUTPUTS.forEach(topic -> topics.put(config.topics().of(topic), topic));
    thread = VitalThread.of(this::run, "console-follower");
  }

  /** Starts to follow the topics, in a thread of its own. */
  public void start() {
    thread.start();
  }

  public Status status() {
    return status;
  }

  private void run() {
    while (!isClosed) {
      try (Consumers.Following consumer = Consumers.following(config.kafka(), SMALL_FETCHES)) {
        follow(consumer.consumer());
      } catch (InterruptException e) {
        return;
      } catch (KafkaException e) {
        LOG.warn("The console cannot read its topics and tries again: {}", e.getMessage());
        status = new Status("FAILED", status.behind(), e.getMessage(), status.topics());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void follow(Consumer<byte[], byte[]> consumer) {
    long refreshed = System.nanoTime() - REFRESH.toNanos();
    boolean isLive = false;
    while (!isClosed) {
      if (System.nanoTime() - refreshed >= REFRESH.toNanos()) {
        assign(consumer);
        refreshed = System.nanoTime();
      }
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        LogTopic topic = topics.get(record.topic());
        if (topic != null) {
          into.on(topic, record, clock.millis());
        }
      }
      consumer
          .assignment()
          .forEach(partition -> positions.put(partition, consumer.position(partition)));
      List<TopicStatus> lags = lags(consumer);
      long behind = lags.stream().mapToLong(TopicStatus::behind).sum();
      isLive = isLive || behind < LIVE_BEHIND;
      status = new Status(isLive ? "LIVE" : "CATCHING_UP", behind, null, lags);
      if (!records.isEmpty() && behind < BACKLOG) {
        LockSupport.parkNanos(FETCH_PAUSE.toNanos());
      }
    }
  }

  private void assign(Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> all = new ArrayList<>();
    for (String topic : topics.keySet()) {
      List<PartitionInfo> found = consumer.partitionsFor(topic, PATIENCE);
      if (found == null || found.isEmpty()) {
        throw new KafkaException(Brokers.lacking(config.kafka(), List.of(topic)));
      }
      found.forEach(info -> all.add(new TopicPartition(topic, info.partition())));
    }
    if (consumer.assignment().size() == all.size()) {
      return;
    }
    begin(consumer, all);
    consumer.assign(all);
    all.forEach(partition -> consumer.seek(partition, positions.getOrDefault(partition, 0L)));
  }

  /** Finds where to begin in partitions that have no position yet. */
  private void begin(Consumer<byte[], byte[]> consumer, List<TopicPartition> all) {
    List<TopicPartition> added = new ArrayList<>(all);
    added.removeAll(positions.keySet());
    if (added.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> wanted = new HashMap<>();
    long since = clock.millis() - history.toMillis();
    added.forEach(
        partition ->
            wanted.put(
                partition, topics.get(partition.topic()) == LogTopic.EXPERIMENTS ? 0L : since));
    Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(wanted);
    Map<TopicPartition, Long> ends = consumer.endOffsets(added);
    added.forEach(
        partition -> {
          OffsetAndTimestamp first = found.get(partition);
          long end = ends.getOrDefault(partition, 0L);
          positions.put(partition, first == null ? end : first.offset());
        });
  }

  private List<TopicStatus> lags(Consumer<byte[], byte[]> consumer) {
    Map<String, List<Long>> lags = new LinkedHashMap<>();
    topics.keySet().forEach(topic -> lags.put(topic, new ArrayList<>()));
    for (TopicPartition partition : consumer.assignment()) {
      long lag = consumer.currentLag(partition).orElse(LIVE_BEHIND); // unknown before a fetch
      lags.computeIfAbsent(partition.topic(), any -> new ArrayList<>()).add(lag);
    }
    List<TopicStatus> all = new ArrayList<>();
    lags.forEach(
        (topic, list) ->
            all.add(
                new TopicStatus(
                    topic, list.size(), list.stream().mapToLong(Long::longValue).sum())));
    return all;
  }

  /** Ends the thread and waits for it. */
  @Override
  public void close() {
    isClosed = true;
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
