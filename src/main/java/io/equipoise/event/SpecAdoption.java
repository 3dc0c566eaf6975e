package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records what the adoption of a spec changed. {@code avro/SegmentEvent.avsc} documents the
 * components. Lists are copied.
 */
public record SpecAdoption(
    List<String> arms,
    @Nullable String previousSpecHash,
    boolean specTextLost,
    List<String> extendedVariables,
    List<String> stateReset) {

  public SpecAdoption {
    arms = List.copyOf(arms);
    extendedVariables = List.copyOf(extendedVariables);
    stateReset = List.copyOf(stateReset);
  }
}
