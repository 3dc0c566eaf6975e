package io.equipoise.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports a row of causal bounds that the rewards refuted. {@code avro/SegmentEvent.avsc} documents
 * the meaning and unit of every component.
 */
public record RefutedBounds(
    String arm,
    Map<String, String> context,
    @Nullable Double lower,
    @Nullable Double upper,
    @Nullable Double estimate,
    @Nullable Double estimateLower,
    @Nullable Double estimateUpper) {

  public RefutedBounds {
    context = NameMap.copyOf(context);
  }
}
