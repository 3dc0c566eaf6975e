package io.equipoise.offline.count;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/** Makes a source that ends. */
final class OutcomeSource {
  private OutcomeSource() {}

  @SuppressWarnings("deprecation") // the connector has no other type for what lies elsewhere
  static KafkaSource<Tuple5<Integer, Long, Long, Long, String>> of(
      Log.Topic log, OutcomeCells cells) {
    Properties kafka = new Properties();
    kafka.putAll(log.kafka());
    kafka.setProperty("isolation.level", "read_committed");
    kafka.setProperty("enable.auto.commit", "false");
    return KafkaSource.<Tuple5<Integer, Long, Long, Long, String>>builder()
        .setProperties(kafka)
        .setTopics(List.of(log.name()))
        .setStartingOffsets(
            log.from().isEmpty()
                ? OffsetsInitializer.earliest()
                : offsets(log, log.from(), OffsetResetStrategy.EARLIEST))
        .setBounded(
            log.to().isEmpty()
                ? OffsetsInitializer.latest()
                : offsets(log, log.to(), OffsetResetStrategy.LATEST))
        .setDeserializer(cells)
        .build();
  }

  @SuppressWarnings("deprecation") // as above
  private static OffsetsInitializer offsets(
      Log.Topic log, Map<Integer, Long> given, OffsetResetStrategy elsewhere) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    given.forEach(
        (partition, offset) -> offsets.put(new TopicPartition(log.name(), partition), offset));
    return OffsetsInitializer.offsets(offsets, elsewhere);
  }
}
