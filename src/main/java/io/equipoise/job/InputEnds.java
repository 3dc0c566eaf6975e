package io.equipoise.job;

import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.JobConfig;
import java.io.Serializable;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the brokers for the newest append time of all inputs and then, in this order, for the ends
 * of a reader's partitions: once a second, and more rarely while nothing is appended.
 *
 * <p>Every record after such an end was appended after that time. The ends are high watermarks, so
 * records of open transactions lie before them. Partitions without a leader are left out; the
 * brokers' replies about the others do not wait for them longer than {@link #MOST_WAIT}.
 *
 * <p>Topics without append times give no newest time: their timestamps come from producers.
 *
 * <p>A thread of its own asks. The reader's thread sets the watched partitions, takes the latest
 * reply and closes; the two threads share only the three fields for this. The list of topics with
 * append times is a cache of the thread, renewed every half minute.
 */
final class InputEnds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(InputEnds.class);
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration MOST_WAIT = Duration.ofSeconds(2);

  /** The longest time between two questions, reached by doubling; event time may lag by it. */
  private static final Duration LONGEST_PERIOD = Duration.ofSeconds(4);

  /** Partitions may be added, and timestamp types changed, while the job runs. */
  private static final Duration DESCRIBED_EVERY = Duration.ofSeconds(30);

  private final Properties kafka;
  private final List<String> topics;
  private final Duration longestPeriod;
  private final Clock clock;
  private final Runnable onFound;
  private final AtomicReference<@Nullable AskedEnds> found = new AtomicReference<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Set<TopicPartition> watched = Set.of();
  private Map<TopicPartition, OffsetSpec> stamped = Map.of();
  private long describedAt;
  private boolean isWarned;

  /**
   * Holds one reply of the brokers.
   *
   * @param newestAppendTime epoch ms; 0 if no input topic has append times or records
   * @param askedAt before the brokers were asked for the ends, epoch ms
   * @param ends the end offsets of the watched partitions that have a leader
   */
  record AskedEnds(long newestAppendTime, long askedAt, Map<TopicPartition, Long> ends) {
    /** Returns whether nothing was appended since an earlier reply. */
    private boolean isAsBefore(AskedEnds earlier) {
      return newestAppendTime == earlier.newestAppendTime && ends.equals(earlier.ends);
    }
  }

  /** Starts asking on the machine of a reader. */
  @FunctionalInterface
  interface Start extends Serializable {
    /**
     * Starts a thread.
     *
     * @param onFound called by the thread after each reply
     */
    InputEnds of(Runnable onFound);
  }

  /** Returns the start for the input topics of a deployment. */
  static Start start(JobConfig config, Clock clock) {
    Properties kafka = config.kafka();
    List<String> topics = config.topics().inputs();
    Duration quarter = config.idleTimeout().dividedBy(4); // so that no reply seems to be missing
    Duration longest = quarter.compareTo(LONGEST_PERIOD) < 0 ? quarter : LONGEST_PERIOD;
    return onFound -> new InputEnds(kafka, topics, longest, clock, onFound);
  }

  private InputEnds(
      Properties kafka, List<String> topics, Duration longest, Clock clock, Runnable onFound) {
    this.kafka = kafka;
    this.topics = topics;
    this.longestPeriod = longest.compareTo(PERIOD) < 0 ? PERIOD : longest;
    this.clock = clock;
    this.onFound = onFound;
    Thread thread = new Thread(this::run, "input-ends");
    thread.setDaemon(true);
    thread.start();
  }

  /** Sets the partitions whose ends are asked for. */
  void watch(Set<TopicPartition> partitions) {
    watched = Set.copyOf(partitions);
  }

  /** Returns the latest reply that was not taken yet. */
  @Nullable AskedEnds take() {
    return found.getAndSet(null);
  }

  private void run() {
    try (Admin admin = Admin.create(kafka)) {
      AskedEnds last = null;
      Duration pause = PERIOD;
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        AskedEnds next = watched.isEmpty() ? null : ask(admin);
        Duration longer = pause.multipliedBy(2);
        pause =
            next == null || last == null || !next.isAsBefore(last)
                ? PERIOD
                : longer.compareTo(longestPeriod) < 0 ? longer : longestPeriod;
        last = next;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the reply, null without one. */
  private @Nullable AskedEnds ask(Admin admin) throws InterruptedException {
    try {
      if (stamped.isEmpty() || System.nanoTime() - describedAt >= DESCRIBED_EVERY.toNanos()) {
        describedAt = System.nanoTime();
        stamped = describe(admin);
      }
      long newest =
          offsets(admin, stamped).values().stream()
              .mapToLong(ListOffsetsResultInfo::timestamp)
              .reduce(0, Math::max);
      long askedAt = clock.millis();
      Map<TopicPartition, OffsetSpec> latest =
          watched.stream().collect(Collectors.toMap(it -> it, it -> OffsetSpec.latest()));
      Map<TopicPartition, Long> ends = new HashMap<>();
      offsets(admin, latest).forEach((at, end) -> ends.put(at, end.offset()));
      AskedEnds reply = new AskedEnds(newest, askedAt, ends);
      found.set(reply);
      onFound.run();
      isWarned = false;
      return reply;
    } catch (IllegalStateException e) {
      if (!isWarned) {
        isWarned = true;
        LOG.warn("Windows wait for the partitions {}: {}", watched, e.getMessage(), e.getCause());
      }
      return null;
    }
  }

  /** Returns the partitions whose records have append times, each with the question for it. */
  private Map<TopicPartition, OffsetSpec> describe(Admin admin) {
    List<ConfigResource> resources =
        topics.stream().map(it -> new ConfigResource(ConfigResource.Type.TOPIC, it)).toList();
    Map<ConfigResource, Config> settings =
        AdminCall.of(admin.describeConfigs(resources).all(), "requesting settings of " + topics);
    Set<String> withAppendTimes = new HashSet<>();
    settings.forEach(
        (topic, config) -> {
          if (config
              .get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG)
              .value()
              .equals("LogAppendTime")) {
            withAppendTimes.add(topic.name());
          }
        });
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    AdminCall.of(
            admin.describeTopics(withAppendTimes).allTopicNames(), "describing " + withAppendTimes)
        .forEach(
            (name, topic) ->
                topic
                    .partitions()
                    .forEach(
                        it ->
                            specs.put(
                                new TopicPartition(name, it.partition()),
                                OffsetSpec.maxTimestamp())));
    return specs;
  }

  private static Map<TopicPartition, ListOffsetsResultInfo> offsets(
      Admin admin, Map<TopicPartition, OffsetSpec> asked) throws InterruptedException {
    ListOffsetsResult result =
        admin.listOffsets(
            asked, new ListOffsetsOptions().timeoutMs(Math.toIntExact(MOST_WAIT.toMillis())));
    Map<TopicPartition, ListOffsetsResultInfo> offsets = new HashMap<>();
    for (TopicPartition at : asked.keySet()) {
      try {
        offsets.put(at, result.partitionResult(at).get());
      } catch (ExecutionException e) {
        LOG.debug("{} has no leader that replies", at, e);
      }
    }
    return offsets;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
