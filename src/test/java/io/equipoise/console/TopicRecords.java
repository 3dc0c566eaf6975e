package io.equipoise.console;

import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads whole topics, independently of the console. */
final class TopicRecords {
  private TopicRecords() {}

  /** Returns the committed records of a topic, without values that are none: inputs may be bad. */
  static <T extends Record> List<T> read(String broker, String topic, Wire<T> wire) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, broker,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    List<T> records = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(topic).stream()
              .map(it -> new TopicPartition(it.topic(), it.partition()))
              .toList();
      consumer.assign(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (!all.stream().allMatch(it -> consumer.position(it) >= ends.get(it))) {
        for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
          decode(wire, each.value()).ifPresent(records::add);
        }
      }
    }
    return records;
  }

  private static <T extends Record> Optional<T> decode(Wire<T> wire, byte @Nullable [] value) {
    try {
      return value == null ? Optional.empty() : Optional.of(wire.decode(value));
    } catch (WireException e) {
      return Optional.empty();
    }
  }
}
