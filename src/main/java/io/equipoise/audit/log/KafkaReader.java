package io.equipoise.audit.log;

import io.equipoise.job.options.InputSkip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads ranges with one consumer. Pauses partitions that are ahead, so that at most {@value
 * #MOST_WAITING} records of each partition and one fetch wait in memory.
 *
 * <p>A range has ended when the position reaches its reach, not when its last record was seen,
 * because transaction markers and aborted records occupy offsets.
 *
 * <p>For a skipped offset it returns a record without key and value, with the timestamp of the
 * record before, like the job's source.
 *
 * <p>State: the ranges that are still open, the records that wait in the merged log, and the
 * timestamp of the newest record of each range. The caller's thread runs the consumer.
 */
final class KafkaReader implements LogReader {
  private static final int MOST_WAITING = 1_000;
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, OffsetRange> open = new HashMap<>();
  private final MergedLog mergedLog;
  private final Duration timeout;
  private final List<InputSkip> skips;
  private final Map<OffsetRange, Long> newest = new HashMap<>();

  /** Starts at the beginnings of the ranges; closes the consumer when closed. */
  KafkaReader(
      Consumer<byte[], byte[]> consumer,
      List<OffsetRange> slices,
      Duration timeout,
      List<InputSkip> skips) {
    this.consumer = consumer;
    this.mergedLog = new MergedLog(slices);
    this.timeout = timeout;
    this.skips = skips.stream().sorted(Comparator.comparingLong(InputSkip::first)).toList();
    for (OffsetRange offsetRange : slices) {
      if (offsetRange.size() > 0) {
        open.put(new TopicPartition(offsetRange.name(), offsetRange.partition()), offsetRange);
      } else {
        mergedLog.end(offsetRange);
      }
    }
    consumer.assign(open.keySet());
    open.forEach((partition, offsetRange) -> consumer.seek(partition, offsetRange.begin()));
  }

  @Override
  public @Nullable LogRecord next() {
    if (!mergedLog.isReady()) {
      fill();
    }
    return mergedLog.poll();
  }

  private void fill() {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!mergedLog.isReady()) {
      try {
        skip();
        if (open.isEmpty()) {
          return;
        }
        pauseThoseAhead();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          deadline = System.nanoTime() + timeout.toNanos();
          take(record);
        }
        endThoseRead();
      } catch (OffsetOutOfRangeException e) {
        throw new InconclusiveException(
            "retention removed records of "
                + e.partitions()
                + " while they were read; run the command again");
      } catch (KafkaException e) {
        throw new InconclusiveException("reading " + open.keySet() + " failed", e);
      }
      if (System.nanoTime() > deadline && !mergedLog.isReady()) {
        throw new InconclusiveException(
            "no record of %s within %d s; check the brokers, or give more --timeout"
                .formatted(open.keySet(), timeout.toSeconds()));
      }
    }
  }

  private void pauseThoseAhead() {
    List<TopicPartition> ahead = new ArrayList<>();
    List<TopicPartition> behind = new ArrayList<>();
    open.forEach(
        (partition, offsetRange) ->
            (mergedLog.waiting(offsetRange) >= MOST_WAITING ? ahead : behind).add(partition));
    consumer.pause(ahead);
    consumer.resume(behind);
  }

  private void skip() {
    for (InputSkip skip : skips) {
      OffsetRange offsetRange = open.get(skip.at());
      long position = offsetRange == null ? -1 : consumer.position(skip.at());
      if (offsetRange != null && skip.covers(position)) {
        long time = newest.getOrDefault(offsetRange, 0L);
        for (; position <= skip.last() && position < offsetRange.reach(); position++) {
          mergedLog.add(new LogRecord(offsetRange, position, time, null, null));
        }
        consumer.seek(skip.at(), skip.last() + 1);
        endThoseRead();
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    OffsetRange offsetRange = open.get(new TopicPartition(record.topic(), record.partition()));
    if (offsetRange != null && record.offset() < offsetRange.reach()) {
      newest.put(offsetRange, record.timestamp());
      mergedLog.add(LogRecord.of(offsetRange, record));
    }
  }

  private void endThoseRead() {
    List<TopicPartition> ended = new ArrayList<>();
    open.forEach(
        (partition, offsetRange) -> {
          if (consumer.position(partition) >= offsetRange.reach()) {
            ended.add(partition);
          }
        });
    for (TopicPartition partition : ended) {
      mergedLog.end(open.get(partition));
      open.remove(partition);
    }
    if (!ended.isEmpty()) {
      consumer.assign(open.keySet()); // keeps the positions of those that stay
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
