package io.equipoise.job;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A record of the specs topic as it was read. Byte arrays are not copied. */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
record RawSpec(
    String topic,
    int partition,
    long offset,
    long appendTime,
    byte @Nullable [] key,
    byte @Nullable [] value) {

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RawSpec that
        && topic.equals(that.topic)
        && partition == that.partition
        && offset == that.offset
        && appendTime == that.appendTime
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * topic.hashCode() + Long.hashCode(offset);
  }

  @Override
  public String toString() {
    return "RawSpec[" + topic + "-" + partition + "@" + offset + "]";
  }
}
