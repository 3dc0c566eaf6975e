package io.equipoise.job.topics;

import io.equipoise.job.registry.Frames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Creates all Kafka consumers except those of the job's sources. They have no group, commit
 * nothing, create no topic, and begin at the earliest record by default. They return outputs and
 * causal bounds in single-object encoding, and contexts and rewards as they are on the topic.
 */
public final class Consumers {
  private static final String COMMITTED = "read_committed";
  private static final String UNCOMMITTED = "read_uncommitted";

  /**
   * How long a broker may delay an empty fetch. Most consumers here read to a known end and discard
   * what follows it, but closing a consumer waits for its fetch, by default half a second.
   */
  private static final String FETCH_MAX_WAIT_MILLIS = "20";

  /** Settings of consumers that follow a topic for hours: an empty fetch waits at the broker. */
  public static final Map<String, String> FOLLOWING =
      Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "500");

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private Consumers() {}

  /** A consumer whose close does not wait for a fetch that waits at the broker. */
  public record Following(Consumer<byte[], byte[]> consumer) implements AutoCloseable {
    @Override
    public void close() {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  /** Opens a consumer of committed records, for fetches that may wait long at the broker. */
  public static Following following(Properties kafka, Map<String, String> more) {
    return new Following(committed(kafka, more));
  }

  /** Opens a consumer of committed records. */
  public static Consumer<byte[], byte[]> committed(Properties kafka) {
    return committed(kafka, Map.of());
  }

  /**
   * Opens a consumer of committed records.
   *
   * @param more settings that override all others
   */
  public static Consumer<byte[], byte[]> committed(Properties kafka, Map<String, String> more) {
    return open(kafka, COMMITTED, more);
  }

  /** Opens a consumer of all records, including open and aborted transactions. */
  public static Consumer<byte[], byte[]> uncommitted(Properties kafka, Map<String, String> more) {
    return open(kafka, UNCOMMITTED, more);
  }

  /**
   * Returns the partitions of topics of a deployment, in their order.
   *
   * @param kafka the consumer's settings
   * @throws io.equipoise.job.options.StartRefusedException if a topic does not exist
   */
  public static List<TopicPartition> existing(
      Consumer<byte[], byte[]> consumer, Properties kafka, Collection<String> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String topic : topics.stream().sorted().toList()) {
      List<PartitionInfo> found = consumer.partitionsFor(topic);
      partitions.addAll(sorted(topic, found));
      if (found.isEmpty()) {
        missing.add(topic);
      }
    }
    if (!missing.isEmpty()) {
      throw Brokers.unreadable(List.of(Brokers.lacking(kafka, missing)));
    }
    return partitions;
  }

  /**
   * Returns the partitions of a topic that was just created; other brokers may learn of it a little
   * later.
   *
   * @throws IllegalStateException if the brokers do not learn of it in time
   */
  public static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<PartitionInfo> found = consumer.partitionsFor(topic);
    while (found.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the brokers have no topic " + topic);
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      found = consumer.partitionsFor(topic);
    }
    return sorted(topic, found);
  }

  private static List<TopicPartition> sorted(String topic, List<PartitionInfo> found) {
    return found.stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .sorted(Comparator.comparingInt(TopicPartition::partition))
        .toList();
  }

  /** Returns the partition of a topic that Kafka's producers write the records of a key to. */
  public static TopicPartition partition(String topic, int partitions, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return new TopicPartition(topic, Utils.toPositive(Utils.murmur2(bytes)) % partitions);
  }

  private static Consumer<byte[], byte[]> open(
      Properties kafka, String isolation, Map<String, String> more) {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    settings.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    settings.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    settings.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.setProperty(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MILLIS);
    settings.putAll(more);
    settings.keySet().removeIf(Frames::isSetting);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), Frames.deserializer(kafka));
  }
}
