package io.equipoise.job;

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

/**
 * Reads a control topic, which has one partition, from its beginning to the end that it has at that
 * moment, with a consumer of its own.
 *
 * <p>Done when the position reaches the end offset, not when a record with it was seen: control
 * records of transactions and compaction leave no record there, and waiting for one can hang.
 */
final class CompactedTopic {
  private static final Duration POLL = Duration.ofMillis(100);

  private CompactedTopic() {}

  /** Returns all committed records in order. */
  static List<RawControl> read(Properties kafka, String topic) {
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

  private static List<RawControl> read(
      Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    List<TopicPartition> all = List.of(partition);
    consumer.assign(all);
    consumer.seekToBeginning(all);
    Long end = consumer.endOffsets(all).get(partition);
    List<RawControl> records = new ArrayList<>();
    while (end != null && consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        records.add(RawControl.of(record));
      }
    }
    return records;
  }
}
