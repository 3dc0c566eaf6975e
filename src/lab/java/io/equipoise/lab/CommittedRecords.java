package io.equipoise.lab;

import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the committed records that topics have at one moment. */
public final class CommittedRecords {
  private static final Duration POLL = Duration.ofMillis(50);

  private CommittedRecords() {}

  /**
   * Delivers the raw committed records of partitions, from given offsets to the current ends.
   * Returns these ends.
   *
   * @param clients client settings, including the brokers
   */
  public static Map<TopicPartition, Long> readToEnd(
      Properties clients,
      Map<TopicPartition, Long> from,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(clients)) {
      List<TopicPartition> partitions = new ArrayList<>(from.keySet());
      consumer.assign(partitions);
      from.forEach(consumer::seek);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it))) {
        consumer.poll(POLL).forEach(sink);
      }
      return partitions.stream().collect(Collectors.toMap(it -> it, consumer::position));
    }
  }
}
