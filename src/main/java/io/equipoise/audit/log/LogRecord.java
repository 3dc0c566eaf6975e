package io.equipoise.audit.log;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One committed record. Byte arrays are not copied.
 *
 * @param slice where it stands
 * @param timestamp epoch milliseconds; of appending where the topic has append times
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode below know arrays
public record LogRecord(
    Slice slice, long offset, long timestamp, byte @Nullable [] key, byte @Nullable [] value) {

  /** Says whether it is judged, and not evidence only. */
  public boolean isJudged() {
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
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * slice.hashCode() + Long.hashCode(offset);
  }

  /** Names the place only: what is printed may be logged. */
  @Override
  public String toString() {
    return "LogRecord[" + place() + "]";
  }
}
