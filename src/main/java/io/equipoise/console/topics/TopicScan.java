package io.equipoise.console.topics;

import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads committed records that were written within a period, up to a limit of records and time.
 *
 * @param mostRecords records of one scan
 */
record TopicScan(JobConfig config, long mostRecords, Duration mostTime) {
  private static final Duration POLL = Duration.ofMillis(100);

  /** Gets records in the order of each partition. */
  interface Visitor {
    /** Takes a record; returns whether the scan goes on. */
    boolean on(LogTopic topic, ConsumerRecord<byte[], byte[]> record);
  }

  /**
   * Reads the records of topics from one time to another.
   *
   * @param from epoch ms, included
   * @param to epoch ms, excluded
   * @return whether all of them were read, or the visitor ended the scan
   */
  boolean read(Collection<LogTopic> topics, long from, long to, Visitor visitor) {
    Map<String, LogTopic> names = new HashMap<>();
    topics.forEach(topic -> names.put(config.topics().of(topic), topic));
    try (Consumer<byte[], byte[]> consumer =
        Consumers.committed(config.kafka(), Map.of("max.partition.fetch.bytes", "1048576"))) {
      Map<TopicPartition, Long> times = new HashMap<>();
      names
          .keySet()
          .forEach(
              name ->
                  consumer
                      .partitionsFor(name)
                      .forEach(
                          it ->
                              times.put(
                                  new TopicPartition(name, it.partition()), Math.max(0, from))));
      Map<TopicPartition, Long> ends = consumer.endOffsets(times.keySet());
      Set<TopicPartition> open = new HashSet<>();
      Map<TopicPartition, OffsetAndTimestamp> begins = consumer.offsetsForTimes(times);
      begins.forEach(
          (partition, begin) -> {
            if (begin != null && begin.offset() < ends.getOrDefault(partition, 0L)) {
              open.add(partition);
            }
          });
      consumer.assign(open);
      open.forEach(partition -> consumer.seek(partition, begins.get(partition).offset()));
      return read(consumer, open, ends, names, to, visitor);
    }
  }

  private boolean read(
      Consumer<byte[], byte[]> consumer,
      Set<TopicPartition> open,
      Map<TopicPartition, Long> ends,
      Map<String, LogTopic> names,
      long to,
      Visitor visitor) {
    long deadline = System.nanoTime() + mostTime.toNanos();
    long left = mostRecords;
    while (!open.isEmpty()) {
      if (System.nanoTime() > deadline || left <= 0) {
        return false;
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        left--;
        if (record.timestamp() >= to) {
          open.remove(partition); // times may be out of order within a moment only
        } else if (open.contains(partition)
            && !visitor.on(names.getOrDefault(record.topic(), LogTopic.DECISIONS), record)) {
          return true;
        }
      }
      List<TopicPartition> ended = new ArrayList<>();
      open.forEach(
          partition -> {
            if (consumer.position(partition) >= ends.getOrDefault(partition, 0L)) {
              ended.add(partition);
            }
          });
      ended.forEach(open::remove);
      if (open.size() < consumer.assignment().size()) {
        consumer.assign(open);
      }
    }
    return true;
  }
}
