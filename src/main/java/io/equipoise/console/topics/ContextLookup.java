package io.equipoise.console.topics;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Reads single records of the inputs by their offset. Not thread-safe. */
final class ContextLookup implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;

  ContextLookup(JobConfig config) {
    consumer =
        Consumers.committed(
            config.kafka(), Map.of("max.poll.records", "1", "max.partition.fetch.bytes", "262144"));
  }

  /**
   * Returns a record, null if retention removed it.
   *
   * @throws org.apache.kafka.common.KafkaException if it may not be read
   */
  @Nullable ConsumerRecord<byte[], byte[]> at(TopicPartition partition, long offset) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, offset);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return record.offset() == offset ? record : null;
      }
      if (consumer.position(partition) > offset) {
        return null;
      }
    }
    return null;
  }

  /** Returns the current ends of partitions of the inputs. */
  Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
    return consumer.endOffsets(partitions, PATIENCE);
  }

  /** Returns the partitions of a topic; empty if there is none. */
  List<TopicPartition> partitions(String topic) {
    var found = consumer.partitionsFor(topic, PATIENCE);
    return found == null
        ? List.of()
        : found.stream().map(it -> new TopicPartition(topic, it.partition())).toList();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
