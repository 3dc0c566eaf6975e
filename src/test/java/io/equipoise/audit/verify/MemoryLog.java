package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.options.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** A log in lists, which a test may tamper with. Every topic has the same number of partitions. */
public final class MemoryLog implements CommittedLog {
  public static final int PARTITIONS = 2;
  public static final Topics TOPICS = new Topics("test");

  private final Map<LogTopic, List<Partition>> topics = new EnumMap<>(LogTopic.class);

  /** What the schema registry answers. */
  WriterSchemas writers = WriterSchemas.NONE;

  /** How often slices were opened, to see how many passes there were. */
  int reads;

  private static final class Partition {
    private final List<LogRecord> records = new ArrayList<>();
    private long begin;
    private long end;
    private long horizon = -1;
    private boolean isEndChosen;
  }

  public MemoryLog() {
    for (LogTopic topic : LogTopic.values()) {
      List<Partition> partitions = new ArrayList<>();
      for (int i = 0; i < PARTITIONS; i++) {
        partitions.add(new Partition());
      }
      topics.put(topic, partitions);
    }
  }

  /** Returns a log of the same records, which changes on its own. */
  MemoryLog copy() {
    MemoryLog copy = new MemoryLog();
    topics.forEach(
        (topic, partitions) -> {
          for (int i = 0; i < PARTITIONS; i++) {
            Partition from = partitions.get(i);
            Partition to = copy.topics.get(topic).get(i);
            to.records.addAll(from.records);
            to.begin = from.begin;
            to.end = from.end;
            to.horizon = from.horizon;
            to.isEndChosen = from.isEndChosen;
          }
        });
    return copy;
  }

  public static int partitionOf(String key) {
    return Math.floorMod(key.hashCode(), PARTITIONS);
  }

  /** Appends a record and returns its offset. */
  public long append(
      LogTopic topic, int partition, long time, byte @Nullable [] key, byte @Nullable [] value) {
    return append(topic, partition, time, key, value, new RecordHeaders());
  }

  /** Appends a writer-epoch marker to a partition of the decisions and returns its offset. */
  public long mark(int partition, long time, WriterEpochMarker marker) {
    return append(LogTopic.DECISIONS, partition, time, null, null, marker.headers());
  }

  private long append(
      LogTopic topic,
      int partition,
      long time,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Headers headers) {
    Partition to = topics.get(topic).get(partition);
    OffsetRange unbounded = new OffsetRange(topic, TOPICS.of(topic), partition, 0, 0, 0);
    to.records.add(new LogRecord(unbounded, to.end, time, key, value, headers));
    return to.end++;
  }

  /** Leaves an offset without a record, as the mark of a transaction does. */
  void skip(LogTopic topic, int partition) {
    topics.get(topic).get(partition).end++;
  }

  /** Removes what stands before an offset, as retention does. */
  public void retain(LogTopic topic, int partition, long from) {
    Partition in = topics.get(topic).get(partition);
    in.begin = from;
    in.records.removeIf(record -> record.offset() < from);
  }

  /** Makes what stands from an offset on evidence only. */
  void checkUpTo(LogTopic topic, int partition, long horizon) {
    topics.get(topic).get(partition).horizon = horizon;
  }

  /** Checks up to an offset that somebody chose. */
  void chooseEnd(LogTopic topic, int partition, long end) {
    checkUpTo(topic, partition, end);
    topics.get(topic).get(partition).isEndChosen = true;
  }

  /** Lets a partition end earlier, as an unclean election does. */
  void truncate(LogTopic topic, int partition, long end) {
    Partition in = topics.get(topic).get(partition);
    in.records.removeIf(record -> record.offset() >= end);
    in.end = end;
  }

  /** Returns the records of a topic in order, partition by partition; written through. */
  public List<LogRecord> records(LogTopic topic, int partition) {
    return topics.get(topic).get(partition).records;
  }

  /** Finds the first record of a topic that something holds of. */
  LogRecord first(LogTopic topic, Predicate<LogRecord> what) {
    for (Partition partition : topics.get(topic)) {
      for (LogRecord record : partition.records) {
        if (what.test(record)) {
          return record;
        }
      }
    }
    throw new AssertionError("no such record on " + topic);
  }

  void remove(LogRecord record) {
    if (!records(record.slice().topic(), record.slice().partition()).remove(record)) {
      throw new AssertionError(record + " is not there");
    }
  }

  /** Puts another value in the place of a record's. */
  void replace(LogRecord record, byte[] value) {
    List<LogRecord> in = records(record.slice().topic(), record.slice().partition());
    in.set(
        in.indexOf(record),
        new LogRecord(record.slice(), record.offset(), record.timestamp(), record.key(), value));
  }

  /** Appends a copy to the record's partition. */
  void doubled(LogRecord record) {
    append(
        record.slice().topic(),
        record.slice().partition(),
        record.timestamp(),
        record.key(),
        Payloads.value(record));
  }

  /** Lets two records of one partition change places. */
  void swap(LogRecord one, LogRecord other) {
    byte[] value = Payloads.value(one);
    List<LogRecord> in = records(one.slice().topic(), one.slice().partition());
    int second = in.indexOf(other);
    replace(one, Payloads.value(other));
    in.set(
        second,
        new LogRecord(other.slice(), other.offset(), other.timestamp(), other.key(), value));
  }

  @Override
  public WriterSchemas writers() {
    return writers;
  }

  @Override
  public List<OffsetRange> slices(LogTopic topic) {
    List<OffsetRange> slices = new ArrayList<>();
    for (Partition partition : topics.get(topic)) {
      long horizon = partition.horizon < 0 ? partition.end : partition.horizon;
      slices.add(
          new OffsetRange(
              topic, TOPICS.of(topic), slices.size(), partition.begin, horizon, partition.end));
    }
    return slices;
  }

  @Override
  public Map<OffsetRange, Long> endsNow(List<OffsetRange> slices) {
    Map<OffsetRange, Long> ends = new HashMap<>();
    for (OffsetRange offsetRange : slices) {
      Partition partition = topics.get(offsetRange.topic()).get(offsetRange.partition());
      if (!partition.isEndChosen) {
        ends.put(offsetRange, partition.end);
      }
    }
    return ends;
  }

  @Override
  public LogReader read(List<OffsetRange> slices) {
    reads++;
    PriorityQueue<Cursor> cursors = new PriorityQueue<>(Comparator.comparing(Cursor::time));
    for (OffsetRange offsetRange : slices) {
      Cursor cursor =
          new Cursor(offsetRange, records(offsetRange.topic(), offsetRange.partition()));
      if (cursor.head() != null) {
        cursors.add(cursor);
      }
    }
    return new LogReader() {
      @Override
      public @Nullable LogRecord next() {
        Cursor cursor = cursors.poll();
        LogRecord next = cursor == null ? null : cursor.take();
        if (cursor != null && cursor.head() != null) {
          cursors.add(cursor);
        }
        return next;
      }

      @Override
      public void close() {}
    };
  }

  private static final class Cursor {
    private final OffsetRange offsetRange;
    private final List<LogRecord> records;
    private int at;

    Cursor(OffsetRange offsetRange, List<LogRecord> records) {
      this.offsetRange = offsetRange;
      this.records = records;
      while (at < records.size() && records.get(at).offset() < offsetRange.begin()) {
        at++;
      }
    }

    @Nullable LogRecord head() {
      return at < records.size() && records.get(at).offset() < offsetRange.reach()
          ? records.get(at)
          : null;
    }

    long time() {
      return records.get(at).timestamp();
    }

    LogRecord take() {
      LogRecord record = records.get(at++);
      return new LogRecord(
          offsetRange,
          record.offset(),
          record.timestamp(),
          record.key(),
          record.value(),
          record.headers());
    }
  }

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
