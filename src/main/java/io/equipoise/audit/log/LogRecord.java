package io.equipoise.audit.log;

import io.equipoise.event.WriterEpochMarker;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One committed record. Byte arrays are not copied.
 *
 * @param slice where it stands
 * @param headers those of a record without a value; none of other records
 * @param timestamp epoch milliseconds; of appending where the topic has append times
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode below know arrays
public record LogRecord(
    OffsetRange slice,
    long offset,
    long timestamp,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Headers headers) {
  private static final Headers NO_HEADERS = noHeaders();

  /** Makes a record without headers. */
  public LogRecord(
      OffsetRange slice,
      long offset,
      long timestamp,
      byte @Nullable [] key,
      byte @Nullable [] value) {
    this(slice, offset, timestamp, key, value, NO_HEADERS);
  }

  /** Takes over a record of Kafka; headers are kept only where there is no value. */
  static LogRecord of(OffsetRange offsetRange, ConsumerRecord<byte[], byte[]> record) {
    return new LogRecord(
        offsetRange,
        record.offset(),
        record.timestamp(),
        record.key(),
        record.value(),
        record.value() == null ? record.headers() : NO_HEADERS);
  }

  /** Returns whether it claims to be a writer-epoch marker. */
  public boolean isMarker() {
    return WriterEpochMarker.isIn(value, headers);
  }

  /** Says whether it is judged, and not evidence only. */
  public boolean isChecked() {
    return offset < slice.horizon();
  }

  /** Returns the name of its place: topic/partition/offset. */
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

  /** Names the place only: what is printed may be logged. */
  @Override
  public String toString() {
    return "LogRecord[" + place() + "]";
  }
}
