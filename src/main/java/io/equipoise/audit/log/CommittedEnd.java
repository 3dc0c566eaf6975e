package io.equipoise.audit.log;

import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
   * @throws io.equipoise.job.options.StartRefusedException if a topic does not exist
   */
  public CommittedEnd(JobConfig config, boolean isFromBeginning) {
    consumer = LogConsumers.committed(config.kafka());
    Map<String, LogTopic> topics = new HashMap<>();
    LogTopic.OUTPUTS.forEach(topic -> topics.put(config.topics().of(topic), topic));
    try {
      for (TopicPartition at : Consumers.existing(consumer, config.kafka(), topics.keySet())) {
        LogTopic topic = Objects.requireNonNull(topics.get(at.topic()));
        slices.put(at, new OffsetRange(topic, at.topic(), at.partition(), 0, 0, 0));
      }
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
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
