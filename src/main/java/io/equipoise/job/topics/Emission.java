package io.equipoise.job.topics;

import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A record for an output topic; the sink encodes it. Immutable; byte arrays are not copied.
 *
 * @param output the topic
 * @param key the record's key: the segment's UTF-8 bytes
 * @param payload source of the record's value
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record Emission(LogTopic output, byte @Nullable [] key, Payload payload) {

  /** Sends bytes unchanged. */
  public Emission(LogTopic output, byte @Nullable [] key, byte[] value) {
    this(output, key, (Payload) () -> value);
  }

  /** Sends a record that is encoded in the sink. */
  public static Emission of(SegmentOutput record, byte @Nullable [] key) {
    return new Emission(LogTopic.of(record), key, (Payload) () -> Wire.bytesOf(record));
  }

  /** Provides the framed Avro bytes of a value. */
  @FunctionalInterface
  public interface Payload {
    byte[] bytes();
  }

  /** Returns the framed Avro record; each call may encode it again. */
  public byte[] value() {
    return payload.bytes();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Emission that
        && output == that.output
        && Arrays.equals(key, that.key)
        && Arrays.equals(value(), that.value());
  }

  @Override
  public int hashCode() {
    return 31 * output.hashCode() + Arrays.hashCode(value());
  }

  @Override
  public String toString() {
    return "Emission[" + output + ", " + value().length + " bytes]";
  }
}
