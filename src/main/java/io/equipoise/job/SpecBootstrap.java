package io.equipoise.job;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the specs topic from its beginning to the end it has at that moment, with a consumer of its
 * own.
 *
 * <p>Done when the position reaches the end offset, not when a record with it was seen: control
 * records of transactions and compaction leave no record there, and waiting for one can hang.
 */
final class SpecBootstrap implements SpecSource {
  private static final long serialVersionUID = 1L;
  private static final Duration POLL = Duration.ofMillis(100);

  private final Properties kafka;
  private final String topic;

  SpecBootstrap(Properties kafka, String topic) {
    this.kafka = new Properties();
    this.kafka.putAll(kafka);
    this.topic = topic;
  }

  @Override
  public List<SpecText> read() {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(consumer, new TopicPartition(topic, 0));
    }
  }

  private static List<SpecText> read(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    List<TopicPartition> all = List.of(partition);
    consumer.assign(all);
    consumer.seekToBeginning(all);
    Long end = consumer.endOffsets(all).get(partition);
    List<SpecText> specs = new ArrayList<>();
    while (end != null && consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        SpecText spec = decode(record);
        if (spec != null) {
          specs.add(spec);
        }
      }
    }
    return specs;
  }

  /** Returns a record of the specs topic, null where it has no key. */
  static @Nullable SpecText decode(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    byte[] value = record.value();
    if (key == null) {
      return null;
    }
    return new SpecText(
        new String(key, StandardCharsets.UTF_8),
        value == null ? null : new String(value, StandardCharsets.UTF_8));
  }
}
