package io.equipoise.console.state;

import io.equipoise.event.LogTopic;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Stores a committed record of an output topic. The bytes are not copied.
 *
 * @param time when it was written, epoch ms
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode below compare the contents
public record StoredRecord(LogTopic topic, long time, byte[] value) {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredRecord that
        && topic == that.topic
        && time == that.time
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * topic.hashCode() + Arrays.hashCode(value);
  }

  /** Omits the bytes, because the text may be logged. */
  @Override
  public String toString() {
    return "StoredRecord[" + topic + " of " + value.length + " bytes]";
  }
}
