package io.equipoise.event;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the input of a dead letter. {@code avro/DeadLetter.avsc} documents the components. Byte
 * arrays are not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below handle arrays
public record RejectedInput(
    Source source,
    @Nullable Long appendTime,
    @Nullable String segment,
    @Nullable String decisionId,
    byte @Nullable [] key,
    byte @Nullable [] value,
    @Nullable Truncation truncated) {

  RejectedInput of(@Nullable String segment, @Nullable String decisionId) {
    return new RejectedInput(source, appendTime, segment, decisionId, key, value, truncated);
  }

  RejectedInput with(
      byte @Nullable [] key, byte @Nullable [] value, @Nullable Truncation truncated) {
    return new RejectedInput(source, appendTime, segment, decisionId, key, value, truncated);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RejectedInput that
        && source.equals(that.source)
        && Objects.equals(appendTime, that.appendTime)
        && Objects.equals(segment, that.segment)
        && Objects.equals(decisionId, that.decisionId)
        && Arrays.equals(key, that.key)
        && Arrays.equals(value, that.value)
        && Objects.equals(truncated, that.truncated);
  }

  @Override
  public int hashCode() {
    return 31 * source.hashCode() + Arrays.hashCode(value);
  }

  /** Omits ids and bytes, because the text may be logged. */
  @Override
  public String toString() {
    return source.toString();
  }
}
