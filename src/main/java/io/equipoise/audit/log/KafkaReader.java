package io.equipoise.audit.log;

import io.equipoise.job.InputSkip;
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
 * Reads slices with one consumer. Partitions that are ahead are paused, so that no more than
 * {@value #MOST_WAITING} records of each and one fetch wait in memory.
 *
 * <p>A slice has ended when the position reaches its reach, not when a record before it was seen:
 * marks of transactions and aborted records leave no record there.
 *
 * <p>Of an offset that is skipped it returns a record without key and value, with the timestamp of
 * the record before: that is what the job's source makes of it.
 */
final class KafkaReader implements LogReader {
  private static final int MOST_WAITING = 1_000;
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Slice> open = new HashMap<>();
  private final Merged merged;
  private final Duration timeout;
  private final List<InputSkip> skips;
  private final Map<Slice, Long> newest = new HashMap<>();

  /** Starts at the beginnings of slices; closes the consumer when it is closed. */
  KafkaReader(
      Consumer<byte[], byte[]> consumer,
      List<Slice> slices,
      Duration timeout,
      List<InputSkip> skips) {
    this.consumer = consumer;
    this.merged = new Merged(slices);
    this.timeout = timeout;
    this.skips = skips.stream().sorted(Comparator.comparingLong(InputSkip::first)).toList();
    for (Slice slice : slices) {
      if (slice.size() > 0) {
        open.put(new TopicPartition(slice.name(), slice.partition()), slice);
      } else {
        merged.end(slice);
      }
    }
    consumer.assign(open.keySet());
    open.forEach((partition, slice) -> consumer.seek(partition, slice.begin()));
  }

  @Override
  public @Nullable LogRecord next() {
    if (!merged.isReady()) {
      fill();
    }
    return merged.poll();
  }

  private void fill() {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!merged.isReady()) {
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
        throw new CannotJudgeException(
            "retention removed records of " + e.partitions() + " while they were read; start again",
            e);
      } catch (KafkaException e) {
        throw new CannotJudgeException(
            "reading " + open.keySet() + " failed: " + e.getMessage(), e);
      }
      if (System.nanoTime() > deadline && !merged.isReady()) {
        throw new CannotJudgeException(
            "no record of %s within %d s; look at the brokers, or give more --timeout"
                .formatted(open.keySet(), timeout.toSeconds()));
      }
    }
  }

  private void pauseThoseAhead() {
    List<TopicPartition> ahead = new ArrayList<>();
    List<TopicPartition> behind = new ArrayList<>();
    open.forEach(
        (partition, slice) ->
            (merged.waiting(slice) >= MOST_WAITING ? ahead : behind).add(partition));
    consumer.pause(ahead);
    consumer.resume(behind);
  }

  private void skip() {
    for (InputSkip skip : skips) {
      Slice slice = open.get(skip.at());
      long position = slice == null ? -1 : consumer.position(skip.at());
      if (slice != null && skip.covers(position)) {
        long time = newest.getOrDefault(slice, 0L);
        for (; position <= skip.last() && position < slice.reach(); position++) {
          merged.add(new LogRecord(slice, position, time, null, null));
        }
        consumer.seek(skip.at(), skip.last() + 1);
        endThoseRead();
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    Slice slice = open.get(new TopicPartition(record.topic(), record.partition()));
    if (slice != null && record.offset() < slice.reach()) {
      newest.put(slice, record.timestamp());
      merged.add(LogRecord.of(slice, record));
    }
  }

  private void endThoseRead() {
    List<TopicPartition> ended = new ArrayList<>();
    open.forEach(
        (partition, slice) -> {
          if (consumer.position(partition) >= slice.reach()) {
            ended.add(partition);
          }
        });
    for (TopicPartition partition : ended) {
      merged.end(open.get(partition));
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
