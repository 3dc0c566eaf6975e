package io.equipoise.audit.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds out where a live log may be cut so that no transaction is judged by half of it.
 *
 * <p>A partition shows committed records only up to its first open transaction (the last stable
 * offset). Records of one transaction that stand in another partition may therefore be hidden there
 * while they are seen here. But all of them had been appended before the transaction began to
 * commit, hence before the high watermark that is read after the last stable offset. So: horizon =
 * the last stable offsets; then the high watermarks; then wait until every last stable offset has
 * passed its high watermark; reach = the last stable offsets then. The same holds for the
 * transactions of other subtasks at the same checkpoint, which are flushed before any of them
 * commits.
 */
final class Bounds {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Properties kafka;
  private final Duration timeout;

  Bounds(Properties kafka, Duration timeout) {
    this.kafka = kafka;
    this.timeout = timeout;
  }

  /** Returns the slices of topics; those of inputs reach at least as far as outputs name them. */
  List<OffsetRange> slices(Map<String, LogTopic> topics) throws InterruptedException {
    try (Consumer<byte[], byte[]> committed = LogConsumers.committed(kafka);
        Consumer<byte[], byte[]> all = LogConsumers.uncommitted(kafka)) {
      List<TopicPartition> partitions = partitions(committed, topics.keySet());
      List<TopicPartition> outputs = new ArrayList<>(partitions);
      outputs.removeIf(partition -> topic(topics, partition).isInput());
      Map<TopicPartition, Long> horizons = new HashMap<>(committed.endOffsets(outputs));
      Map<TopicPartition, Long> watermarks = all.endOffsets(outputs);
      Map<TopicPartition, Long> reaches = new HashMap<>(passed(committed, watermarks));
      List<TopicPartition> inputs = new ArrayList<>(partitions);
      inputs.removeAll(outputs);
      reaches.putAll(committed.endOffsets(inputs));
      inputs.forEach(partition -> horizons.put(partition, reaches.get(partition)));
      Map<TopicPartition, Long> begins = committed.beginningOffsets(partitions);
      return partitions.stream()
          .map(
              partition ->
                  new OffsetRange(
                      topic(topics, partition),
                      partition.topic(),
                      partition.partition(),
                      begins.get(partition),
                      horizons.get(partition),
                      reaches.get(partition)))
          .toList();
    }
  }

  private static LogTopic topic(Map<String, LogTopic> topics, TopicPartition partition) {
    LogTopic topic = topics.get(partition.topic());
    if (topic == null) {
      throw new IllegalStateException("nobody asked for " + partition);
    }
    return topic;
  }

  private static List<TopicPartition> partitions(
      Consumer<byte[], byte[]> consumer, Collection<String> topics) {
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : topics.stream().sorted().toList()) {
      var found = consumer.partitionsFor(topic);
      if (found == null || found.isEmpty()) {
        throw new InconclusiveException(
            "there is no topic " + topic + "; is equipoise.deployment right?");
      }
      found.stream()
          .map(info -> new TopicPartition(topic, info.partition()))
          .sorted((one, other) -> Integer.compare(one.partition(), other.partition()))
          .forEach(partitions::add);
    }
    return partitions;
  }

  private Map<TopicPartition, Long> passed(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> watermarks)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(watermarks.keySet());
      List<TopicPartition> behind = new ArrayList<>(watermarks.keySet());
      behind.removeIf(partition -> ends.get(partition) >= watermarks.get(partition));
      if (behind.isEmpty()) {
        return ends;
      }
      if (System.nanoTime() > deadline) {
        throw new InconclusiveException(
            "a transaction stays open in %s; wait until the job has ended it or"
                    .formatted(behind.get(0))
                + " kafka.transaction.timeout.ms has, or give more --timeout");
      }
      Thread.sleep(POLL.toMillis());
    }
  }
}
