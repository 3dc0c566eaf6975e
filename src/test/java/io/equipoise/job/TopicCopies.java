package io.equipoise.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads topics again and again, as tests do that wait: with one consumer, and of a topic only the
 * records that are new since the last read. A topic that lost records is read from its start.
 */
final class TopicCopies implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(50);

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Map<String, Copy> copies = new HashMap<>();
  private @Nullable Consumer<byte[], byte[]> consumer;

  TopicCopies(Supplier<Consumer<byte[], byte[]>> consumers) {
    this.consumers = consumers;
  }

  /** The records of a topic between two offsets of each partition. */
  private record Copy(
      Map<TopicPartition, Long> starts,
      Map<TopicPartition, Long> ends,
      List<ConsumerRecord<byte[], byte[]>> records) {}

  /** Returns all records of a topic that the consumer sees now, partition by partition. */
  synchronized List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    if (consumer == null) {
      consumer = consumers.get();
    }
    Consumer<byte[], byte[]> reader = consumer;
    List<TopicPartition> partitions =
        reader.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    Map<TopicPartition, Long> starts = reader.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
    Copy copy = copies.get(topic);
    if (copy == null || !copy.starts.equals(starts)) {
      copy = new Copy(starts, starts, List.of());
    }
    if (!copy.ends.equals(ends)) {
      copy = extended(reader, copy, ends);
      copies.put(topic, copy);
    }
    return copy.records;
  }

  private static Copy extended(
      Consumer<byte[], byte[]> reader, Copy copy, Map<TopicPartition, Long> ends) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>(copy.records);
    reader.assign(ends.keySet());
    copy.ends.forEach(reader::seek);
    while (ends.keySet().stream().anyMatch(it -> reader.position(it) < ends.get(it))) {
      reader.poll(POLL).forEach(records::add);
    }
    Map<TopicPartition, Long> reached = new HashMap<>();
    ends.keySet().forEach(it -> reached.put(it, reader.position(it)));
    records.sort(Comparator.comparingInt(ConsumerRecord::partition)); // and keeps their order
    return new Copy(copy.starts, reached, List.copyOf(records));
  }

  /** Forgets the topics and their records. */
  @Override
  public synchronized void close() {
    copies.clear();
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }
}
