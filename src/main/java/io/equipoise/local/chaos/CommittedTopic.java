package io.equipoise.local.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic as a read_committed consumer does, from its beginning to its end of now. */
final class CommittedTopic {
  private static final Duration POLL = Duration.ofMillis(200);

  /** Without a record for so long the broker is not merely slow. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private CommittedTopic() {}

  /** Passes every record on, in the order of each partition. */
  static void read(Properties clients, String topic, Consumer<ConsumerRecord<byte[], byte[]>> to) {
    Properties settings = new Properties();
    settings.putAll(clients);
    settings.setProperty("isolation.level", "read_committed");
    settings.setProperty("enable.auto.commit", "false");
    settings.setProperty("auto.offset.reset", "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          to.accept(record);
          deadline = System.nanoTime() + PATIENCE.toNanos();
        }
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "nothing came of " + topic + " for " + PATIENCE + ", which does not end there");
        }
      }
    }
  }
}
