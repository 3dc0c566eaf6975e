package io.equipoise.local.bench;

import io.equipoise.job.Emission.Output;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * What one run has committed, by output.
 *
 * @param firstWritten when the first record was written, ms since the epoch
 * @param lastWritten when the last record was written, ms since the epoch
 */
record Committed(Map<Output, Topic> topics, long firstWritten, long lastWritten) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** Returns how many records an output got. */
  long count(Output output) {
    Topic topic = topics.get(output);
    return topic == null ? 0 : topic.count();
  }

  /**
   * What a topic got.
   *
   * @param typical the record whose size was nearest to the mean of all before it
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Topic(long count, long bytes, byte[] typical) {
    private static final Topic NOTHING = new Topic(0, 0, new byte[0]);

    private Topic plus(byte[] value) {
      double mean = (double) (bytes + value.length) / (count + 1);
      boolean isNearer = Math.abs(value.length - mean) <= Math.abs(typical.length - mean);
      return new Topic(count + 1, bytes + value.length, isNearer ? value : typical);
    }
  }

  /** Reads the output topics from some offsets to their ends of now. */
  static Committed read(
      Properties clients, Map<TopicPartition, Long> from, Map<String, Output> outputs) {
    Properties settings = new Properties();
    settings.putAll(clients);
    settings.setProperty("isolation.level", "read_committed");
    Map<Output, Topic> topics = new EnumMap<>(Output.class);
    for (Output output : Output.values()) {
      topics.put(output, Topic.NOTHING);
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>(from.keySet());
      consumer.assign(partitions);
      from.forEach(consumer::seek);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          first = Math.min(first, record.timestamp());
          last = Math.max(last, record.timestamp());
          topics.computeIfPresent(
              outputs.get(record.topic()), (output, topic) -> topic.plus(record.value()));
        }
      }
    }
    return new Committed(topics, first, last);
  }
}
