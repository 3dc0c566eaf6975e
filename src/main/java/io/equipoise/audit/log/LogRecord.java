package io.equipoise.audit.log;

import io.equipoise.event.WriterEpochMarker;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Carries one committed record with its place on the log. Byte arrays are not copied.
 *
 * @param slice the range that contains it
 * @param headers of a record without a value; empty for other records
 * @param timestamp epoch ms; the append time if the topic uses append times
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode below compare array contents
public record LogRecord(
    OffsetRange slice,
    long offset,
    long timestamp,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Headers headers) {
  private static final Headers NO_HEADERS = noHeaders();

  /** Creates a record without headers. */
  public LogRecord(
      OffsetRange slice,
      long offset,
      long timestamp,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    this(slice, offset, timestamp, key, value, NO_HEADERS);
  }

  /** Converts a Kafka record; keeps headers only if there is no value. */
  static LogRecord of(OffsetRange offsetRange, ConsumerRecord<byte[], byte[]> record) {
    return new LogRecord(
        offsetRange,
        record.offset(),
        record.timestamp(),
        record.key(),
        record.value(),
        record.value() == null ? record.headers() : NO_HEADERS);
  }

  /** Returns whether the record is a writer-epoch marker. */
  public boolean isMarker() {
    return WriterEpochMarker.isIn(value, headers);
  }

  /** Returns whether the record is checked; otherwise it is evidence for others. */
  public boolean isChecked() {
    return offset < slice.horizon();
  }

  /** Returns topic/partition/offset. */
  public String place() {
    return slice.place(offset);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogRecord that
        && slice.equals(that.slice)
        && offset == that.offset
        && timestamp == that.timestamp
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value)
        && headers.equals(that.headers);
  }

  @Override
  public int hashCode() {
    return 31 * slice.hashCode() + Long.hashCode(offset);
  }

  private static Headers noHeaders() {
    RecordHeaders none = new RecordHeaders();
    none.setReadOnly();
    return none;
  }

  /** Omits key and value, because the text may be logged. */
  @Override
  public String toString() {
    return "LogRecord[" + place() + "]";
  }
}
