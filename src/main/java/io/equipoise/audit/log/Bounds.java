package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the ends up to which a live log can be checked, so that no transaction is included by half.
 *
 * <p>A partition shows committed records only up to its first open transaction (the last stable
 * offset). So records of one transaction may be visible in one partition and hidden in another. But
 * all of them were appended before the transaction began to commit, so they are below a high
 * watermark that is read after the last stable offsets. So: horizon = the last stable offsets; then
 * read the high watermarks; then wait until every last stable offset has passed its high watermark;
 * reach = the last stable offsets then. The same holds for the transactions of other subtasks at
 * the same checkpoint, which are flushed before any of them commits.
 */
record Bounds(Properties kafka, Duration timeout) {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Returns the ranges of topics; those of inputs include every offset that the outputs name. */
  List<OffsetRange> slices(Map<String, LogTopic> topics) throws InterruptedException {
    try (Consumer<byte[], byte[]> committed = LogConsumers.committed(kafka);
        Consumer<byte[], byte[]> all = LogConsumers.uncommitted(kafka)) {
      List<TopicPartition> partitions = Consumers.existing(committed, kafka, topics.keySet());
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
      throw new IllegalStateException("partition " + partition + " was not requested");
    }
    return topic;
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
            "a transaction is open in %s; wait until the job or kafka.transaction.timeout.ms ends it,"
                    .formatted(behind.get(0))
                + " or give more --timeout");
      }
      Thread.sleep(POLL.toMillis());
    }
  }
}
