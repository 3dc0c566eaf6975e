package io.equipoise.job;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A record of a control topic that cannot be used: the job sends it to the dead letter. Byte arrays
 * are not copied.
 *
 * @param topic the topic's name on the cluster
 * @param appendTime when it was appended, ms
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record RefusedControl(
    String topic,
    int partition,
    long offset,
    long appendTime,
    byte @Nullable [] key,
    byte @Nullable [] value) {

  static RefusedControl of(RawControl raw) {
    return new RefusedControl(
        raw.topic(), raw.partition(), raw.offset(), raw.appendTime(), raw.key(), raw.value());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RefusedControl that
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
    return topic + "/" + partition + "/" + offset;
  }
}
