package io.equipoise.audit.log;

import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Follows the outputs of a deployment as any reader of committed records sees them. */
public final class CommittedEnd implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, OffsetRange> slices = new HashMap<>();

  /**
   * Starts to follow.
   *
   * @param isFromBeginning whether from the earliest records on, or from those that come now
   * @throws InconclusiveException if a topic is not there
   */
  public CommittedEnd(JobConfig config, boolean isFromBeginning) {
    consumer = LogConsumers.committed(config.kafka());
    for (LogTopic topic : LogTopic.values()) {
      if (!topic.isInput()) {
        String name = topic.in(config.topics());
        var found = consumer.partitionsFor(name);
        if (found == null || found.isEmpty()) {
          consumer.close();
          throw new InconclusiveException("there is no topic " + name);
        }
        found.forEach(
            info ->
                slices.put(
                    new TopicPartition(name, info.partition()),
                    new OffsetRange(topic, name, info.partition(), 0, 0, 0)));
      }
    }
    consumer.assign(slices.keySet());
    if (isFromBeginning) {
      consumer.seekToBeginning(slices.keySet());
    } else {
      consumer.seekToEnd(slices.keySet());
    }
    slices.keySet().forEach(consumer::position); // seeking is lazy
  }

  /** Returns what came, after a fifth of a second at the latest. */
  public List<LogRecord> poll() {
    List<LogRecord> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      OffsetRange offsetRange = slices.get(new TopicPartition(record.topic(), record.partition()));
      if (offsetRange != null) {
        records.add(LogRecord.of(offsetRange, record));
      }
    }
    return records;
  }

  @Override
  public void close() {
    consumer.close();
  }
}
