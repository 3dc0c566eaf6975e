package io.equipoise.job;

import io.equipoise.job.InputEnds.AskedEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaPartitionSplitReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Puts a {@link ProgressMark} after the records of a partition whenever the consumer's position has
 * reached an end that {@link InputEnds} found, and one at its assignment.
 *
 * <p>The position passes markers of transactions and records of aborted ones, which the offsets of
 * records do not. It stops before an open transaction, whose end is after it. An end is kept until
 * it is reached, so a reader that is always a little behind marks its partitions too. The ends
 * awaited and the marks not yet returned are no state: the next start asks again. All methods run
 * in Flink's fetcher thread.
 */
@SuppressWarnings("try") // the close() of the connector declares every exception
class InputSplitReader extends KafkaPartitionSplitReader {
  /** Offsets of a fetch that shows a backlog, which is read without pauses; Kafka's default. */
  private static final int BACKLOG = 500;

  private static final Duration MOST_CLOSE = Duration.ofMillis(500);

  private final KafkaConsumer<?, ?> consumer;
  private final InputEnds ends;
  private final long pauseNanos;
  private final int backlog;
  private long resumeAt = System.nanoTime();
  private final Map<TopicPartition, AskedEnds> awaited = new HashMap<>();
  private final List<ProgressMark> marks = new ArrayList<>();

  /** Reports to {@link EventTime} how far a partition has been read; it is no record of Kafka. */
  static final class ProgressMark extends ConsumerRecord<byte[], byte[]> {
    final long newestAppendTime;
    final long askedAt;

    private ProgressMark(TopicPartition at, long newestAppendTime, long askedAt) {
      super(at.topic(), at.partition(), 0, null, null);
      this.newestAppendTime = newestAppendTime;
      this.askedAt = askedAt;
    }
  }

  /** Keeps the consumer, which the connector shows to its metrics only. */
  static final class ReaderMetrics extends KafkaSourceReaderMetrics {
    private @Nullable KafkaConsumer<?, ?> consumer;

    ReaderMetrics(SourceReaderMetricGroup group) {
      super(group);
    }

    @Override
    public void registerNumBytesIn(KafkaConsumer<?, ?> registered) {
      consumer = registered;
      super.registerNumBytesIn(registered);
    }
  }

  /**
   * Creates a reader without splits.
   *
   * @param kafka settings of the consumer
   * @param start starts to ask for the ends of the partitions
   * @param pause how long the reader waits after a fetch, so that few fetches have few records; an
   *     empty fetch waits at the broker
   */
  InputSplitReader(
      Properties kafka,
      SourceReaderContext context,
      ReaderMetrics metrics,
      InputEnds.Start start,
      Duration pause) {
    super(kafka, context, metrics);
    pauseNanos = pause.toNanos();
    String most = kafka.getProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
    backlog = most == null ? BACKLOG : Math.min(BACKLOG, Integer.parseInt(most));
    consumer = Objects.requireNonNull(metrics.consumer);
    ends = start.of(this::wakeUp);
  }

  @Override
  public void handleSplitsChanges(SplitsChange<KafkaPartitionSplit> change) {
    super.handleSplitsChanges(change);
    if (change instanceof SplitsAddition) {
      change.splits().forEach(it -> marks.add(new ProgressMark(it.getTopicPartition(), 0, 0)));
    }
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    if (!marks.isEmpty()) {
      RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>> records =
          new RecordsBySplits.Builder<>();
      marks.forEach(mark -> records.add(split(mark), mark));
      marks.clear();
      return records.build();
    }
    LockSupport.parkNanos(resumeAt - System.nanoTime());
    long before = offsets();
    RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetched = super.fetch();
    resumeAt = System.nanoTime() + (offsets() - before < backlog ? pauseNanos : 0);
    mark();
    return fetched;
  }

  private long offsets() {
    return consumer.assignment().stream().mapToLong(this::position).sum();
  }

  static String split(ConsumerRecord<?, ?> record) {
    return KafkaPartitionSplit.toSplitId(new TopicPartition(record.topic(), record.partition()));
  }

  /** Marks the partitions whose records up to a found end have all been fetched. */
  private void mark() {
    Set<TopicPartition> assigned = consumer.assignment();
    ends.watch(assigned);
    AskedEnds found = ends.take();
    for (TopicPartition at : assigned) {
      if (found != null && found.ends().containsKey(at)) {
        awaited.putIfAbsent(at, found);
      }
      AskedEnds end = awaited.get(at);
      if (end != null && position(at) >= end.ends().get(at)) {
        awaited.remove(at);
        marks.add(new ProgressMark(at, end.newestAppendTime(), end.askedAt()));
      }
    }
  }

  /** Returns the offset that the next fetch starts at; -1 if it is not known yet. */
  private long position(TopicPartition at) {
    try {
      return consumer.position(at, Duration.ZERO);
    } catch (TimeoutException | WakeupException e) {
      return -1;
    }
  }

  /** Does not wait for a fetch of nothing longer than the last commit of offsets may take. */
  @Override
  public void close() throws Exception {
    ends.close();
    consumer.close(CloseOptions.timeout(MOST_CLOSE));
    super.close();
  }
}
