package io.equipoise.job.topics;

import io.equipoise.event.Wire;
import io.equipoise.job.options.Topics;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One record on its way to an output topic; the sink asks for its bytes. Immutable; byte arrays are
 * not copied.
 *
 * @param output which topic
 * @param key the record's key: the segment's UTF-8 bytes
 * @param payload what becomes the record's value
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record Emission(Output output, byte @Nullable [] key, Payload payload) {

  /** Sends bytes as they are. */
  public Emission(Output output, byte @Nullable [] key, byte[] value) {
    this(output, key, (Payload) () -> value);
  }

  /** Sends a record, encoded once it gets to the sink. */
  public static <T extends Record> Emission of(
      Output output, byte @Nullable [] key, Wire<T> wire, T record) {
    return new Emission(output, key, () -> wire.encode(record));
  }

  /** What knows its framed Avro bytes. */
  @FunctionalInterface
  public interface Payload {
    byte[] bytes();
  }

  /** Returns the framed Avro record; each call may encode it anew. */
  public byte[] value() {
    return payload.bytes();
  }

  /** The output topics. The order is that of the bytes between operators. */
  public enum Output {
    DECISIONS,
    AUDIT,
    EXPERIMENTS,
    SEGMENT_EVENTS,
    METRICS,
    DEAD_LETTER;

    /** Returns the topic's name in a deployment. */
    public String in(Topics topics) {
      return switch (this) {
        case DECISIONS -> topics.decisions();
        case AUDIT -> topics.audit();
        case EXPERIMENTS -> topics.experiments();
        case SEGMENT_EVENTS -> topics.segmentEvents();
        case METRICS -> topics.metrics();
        case DEAD_LETTER -> topics.deadLetter();
      };
    }
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
