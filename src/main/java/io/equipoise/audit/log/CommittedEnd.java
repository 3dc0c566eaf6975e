package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads the new outputs of a deployment like any reader of committed records. */
public final class CommittedEnd implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, OffsetRange> slices = new HashMap<>();

  /**
   * Starts to read.
   *
   * @param isFromBeginning whether to start at the earliest records or at the current ends
   * @throws InconclusiveException if a topic does not exist
   */
  public CommittedEnd(JobConfig config, boolean isFromBeginning) {
    consumer = LogConsumers.committed(config.kafka());
    for (LogTopic topic : LogTopic.OUTPUTS) {
      String name = config.topics().of(topic);
      var found = consumer.partitionsFor(name);
      if (found == null || found.isEmpty()) {
        consumer.close();
        throw new InconclusiveException(
            "topic " + name + " does not exist; check equipoise.deployment");
      }
      found.forEach(
          info ->
              slices.put(
                  new TopicPartition(name, info.partition()),
                  new OffsetRange(topic, name, info.partition(), 0, 0, 0)));
    }
    consumer.assign(slices.keySet());
    if (isFromBeginning) {
      consumer.seekToBeginning(slices.keySet());
    } else {
      consumer.seekToEnd(slices.keySet());
    }
    slices.keySet().forEach(consumer::position); // seeking is lazy
  }

  /** Returns new records; waits for them for at most 200 ms. */
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
