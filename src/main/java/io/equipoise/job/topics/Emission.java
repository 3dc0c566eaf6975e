package io.equipoise.job.topics;

import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries a record to the sink of an output topic, which encodes it. Immutable; byte arrays are not
 * copied.
 *
 * @param output the topic
 * @param key the record's key: the segment's UTF-8 bytes
 * @param payload source of the record's value
 * @param traceParent header of the record; null without one
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record Emission(
    LogTopic output, byte @Nullable [] key, Payload payload, @Nullable String traceParent) {

  /** Sends bytes unchanged. */
  public Emission(LogTopic output, byte @Nullable [] key, byte[] value) {
    this(output, key, () -> value, null);
  }

  /** Sends a record of no trace that is encoded in the sink. */
  public static Emission of(SegmentOutput record, byte @Nullable [] key) {
    return of(record, key, null);
  }

  /** Sends a record that is encoded in the sink; only decisions and audits have the header. */
  public static Emission of(
      SegmentOutput record, byte @Nullable [] key, @Nullable String traceParent) {
    boolean isOfDecision = record instanceof Decision || record instanceof FairnessAudit;
    return new Emission(
        LogTopic.of(record), key, () -> Wire.bytesOf(record), isOfDecision ? traceParent : null);
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
        && Objects.equals(traceParent, that.traceParent)
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
