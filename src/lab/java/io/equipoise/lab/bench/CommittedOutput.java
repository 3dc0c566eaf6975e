package io.equipoise.lab.bench;

import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.lab.CommittedRecords;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts the committed output of one run, by topic.
 *
 * @param firstWritten when the first record was written, ms since the epoch
 * @param lastWritten when the last record was written, ms since the epoch
 */
record CommittedOutput(Map<LogTopic, Topic> topics, long firstWritten, long lastWritten) {
  /** Returns the number of records on an output topic. */
  long count(LogTopic output) {
    Topic topic = topics.get(output);
    return topic == null ? 0 : topic.count();
  }

  /** Counts the records of a topic, and samples them regularly. */
  static final class Topic {
    private static final int MOST_SAMPLES = 256;

    private final List<byte[]> samples = new ArrayList<>();
    private long stride = 1;
    private long count;
    private long bytes;

    long count() {
      return count;
    }

    long bytes() {
      return bytes;
    }

    /** Returns the mean bytes of a record's value, NaN if there is none. */
    double meanBytes() {
      return count == 0 ? Double.NaN : (double) bytes / count;
    }

    List<byte[]> samples() {
      return samples;
    }

    private void add(byte[] value) {
      if (count % stride == 0) {
        if (samples.size() == MOST_SAMPLES) {
          List<byte[]> half = new ArrayList<>();
          for (int i = 0; i < MOST_SAMPLES; i += 2) {
            half.add(samples.get(i));
          }
          samples.clear();
          samples.addAll(half);
          stride *= 2;
        }
        samples.add(value);
      }
      count++;
      bytes += value.length;
    }
  }

  /** Reads the output topics from given offsets to their current ends, without epoch markers. */
  static CommittedOutput read(
      Properties clients, Map<TopicPartition, Long> from, Map<String, LogTopic> outputs) {
    Map<LogTopic, Topic> topics = new EnumMap<>(LogTopic.class);
    for (LogTopic output : LogTopic.OUTPUTS) {
      topics.put(output, new Topic());
    }
    LongSummaryStatistics written = new LongSummaryStatistics();
    CommittedRecords.readToEnd(
        clients,
        from,
        record -> {
          if (WriterEpochMarker.isIn(record.value(), record.headers())) {
            return;
          }
          written.accept(record.timestamp());
          Objects.requireNonNull(topics.get(outputs.get(record.topic()))).add(record.value());
        });
    return new CommittedOutput(topics, written.getMin(), written.getMax());
  }
}
