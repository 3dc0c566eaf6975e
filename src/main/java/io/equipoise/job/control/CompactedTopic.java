package io.equipoise.job.control;

import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads a control topic, which has one partition, from its beginning to its current end with a
 * separate consumer.
 *
 * <p>It stops when the position reaches the end offset. It does not wait for a record there:
 * transaction markers and compaction leave none, and the wait could block forever.
 */
final class CompactedTopic {
  private static final Duration POLL = Duration.ofMillis(100);

  private CompactedTopic() {}

  /**
   * Holds what was read of a control topic.
   *
   * @param records all committed records, in order
   * @param end its end offset; 0 if it never had a record
   */
  record Content(List<RawControl> records, long end) {

    /** Returns the newest append time, ms; {@link Long#MIN_VALUE} without records. */
    long newest() {
      return records.stream().mapToLong(RawControl::appendTime).max().orElse(Long.MIN_VALUE);
    }
  }

  /** Returns all committed records in order. */
  static List<RawControl> read(Properties kafka, String topic) {
    return content(kafka, topic).records();
  }

  /** Returns all committed records and the end offset. */
  static Content content(Properties kafka, String topic) {
    try (Consumer<byte[], byte[]> consumer = Consumers.committed(kafka)) {
      return content(consumer, new TopicPartition(topic, 0));
    }
  }

  private static Content content(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    List<TopicPartition> all = List.of(partition);
    consumer.assign(all);
    consumer.seekToBeginning(all);
    long end = consumer.endOffsets(all).getOrDefault(partition, 0L);
    List<RawControl> records = new ArrayList<>();
    while (consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        records.add(RawControl.of(record));
      }
    }
    return new Content(records, end);
  }
}
