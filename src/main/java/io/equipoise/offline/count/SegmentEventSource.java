package io.equipoise.offline.count;

import io.equipoise.causal.DistributionException;
import io.equipoise.job.topics.Consumers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

final class SegmentEventSource {
  private SegmentEventSource() {}

  static KafkaSource<Tuple5<Integer, Long, Long, Long, String>> of(
      LogFile.Topic log, SegmentEventCells cells) {
    Properties kafka = new Properties();
    kafka.putAll(log.kafka());
    kafka.setProperty("isolation.level", "read_committed");
    kafka.setProperty("enable.auto.commit", "false");
    Map<TopicPartition, Long> starts = new HashMap<>();
    Map<TopicPartition, Long> stops = new HashMap<>();
    locate(log, kafka, starts, stops);
    return KafkaSource.<Tuple5<Integer, Long, Long, Long, String>>builder()
        .setProperties(kafka)
        .setTopics(List.of(log.name()))
        .setStartingOffsets(OffsetsInitializer.offsets(starts))
        .setBounded(OffsetsInitializer.offsets(stops))
        .setDeserializer(cells)
        .build();
  }

  /**
   * Sets the first and the end offset of every partition, because the connector asks a consumer
   * group for those of partitions that are not given. What is not on the topic is refused: a source
   * that waits for an offset that is never written would not end.
   */
  private static void locate(
      LogFile.Topic log,
      Properties kafka,
      Map<TopicPartition, Long> starts,
      Map<TopicPartition, Long> stops) {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(log.name()).stream()
              .map(info -> new TopicPartition(log.name(), info.partition()))
              .toList();
      if (partitions.isEmpty()) {
        throw new DistributionException(
            "--topic: %s given; the brokers at %s have no such topic; correct it or kafka.bootstrap.servers"
                .formatted(log.name(), kafka.getProperty("bootstrap.servers")));
      }
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      log.from().forEach((partition, from) -> check("--from", partition, from, log, begins, ends));
      log.to().forEach((partition, to) -> check("--to", partition, to, log, begins, ends));
      starts.putAll(begins);
      stops.putAll(ends);
      log.from().forEach((number, at) -> starts.put(new TopicPartition(log.name(), number), at));
      log.to().forEach((number, at) -> stops.put(new TopicPartition(log.name(), number), at));
    }
  }

  private static void check(
      String option,
      int number,
      long offset,
      LogFile.Topic log,
      Map<TopicPartition, Long> begins,
      Map<TopicPartition, Long> ends) {
    TopicPartition partition = new TopicPartition(log.name(), number);
    Long begin = begins.get(partition);
    Long end = ends.get(partition);
    if (begin == null || end == null) {
      throw new DistributionException(
          "%s %d=%d: topic %s has the partitions 0 to %d"
              .formatted(option, number, offset, log.name(), begins.size() - 1));
    }
    if (offset < begin || offset > end) {
      throw new DistributionException(
          "%s %d=%d: partition %d of topic %s has the offsets %d to %d"
              .formatted(option, number, offset, number, log.name(), begin, end));
    }
  }
}
