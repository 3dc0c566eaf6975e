package io.equipoise.job.topics;

import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SegmentOutput;
import io.equipoise.event.Wire;
import io.equipoise.job.options.Topics;
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
public record Emission(Output output, byte @Nullable [] key, Payload payload) {

  /** Sends bytes unchanged. */
  public Emission(Output output, byte @Nullable [] key, byte[] value) {
    this(output, key, (Payload) () -> value);
  }

  /** Sends a record that is encoded in the sink. */
  public static Emission of(SegmentOutput record, byte @Nullable [] key) {
    return new Emission(Output.of(record), key, (Payload) () -> Wire.bytesOf(record));
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

  /** The output topics. Their order defines the bytes between operators. */
  public enum Output {
    DECISIONS,
    AUDIT,
    EXPERIMENTS,
    SEGMENT_EVENTS,
    METRICS,
    DEAD_LETTER;

    /** Returns the topic of a record. */
    static Output of(SegmentOutput record) {
      if (record instanceof Decision) {
        return DECISIONS;
      } else if (record instanceof FairnessAudit) {
        return AUDIT;
      } else if (record instanceof ExperimentRecord) {
        return EXPERIMENTS;
      } else if (record instanceof SegmentEvent) {
        return SEGMENT_EVENTS;
      }
      return record instanceof SegmentMetrics ? METRICS : DEAD_LETTER;
    }

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
