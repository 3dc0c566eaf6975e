package io.equipoise.job;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One record on its way to an output topic. Immutable; byte arrays are not copied.
 *
 * @param output which topic
 * @param key the record's key: the segment's UTF-8 bytes
 * @param value the framed Avro record
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below know arrays
public record Emission(Output output, byte @Nullable [] key, byte[] value) {

  /** The output topics. The order is that of the bytes between operators. */
  public enum Output {
    DECISIONS,
    AUDIT,
    OUTCOMES,
    METRICS,
    DEAD_LETTER;

    /** Returns the topic's name in a deployment. */
    String in(Topics topics) {
      return switch (this) {
        case DECISIONS -> topics.decisions();
        case AUDIT -> topics.audit();
        case OUTCOMES -> topics.outcomes();
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
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return 31 * output.hashCode() + Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return "Emission[" + output + ", " + value.length + " bytes]";
  }
}
