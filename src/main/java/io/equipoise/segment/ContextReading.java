package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.InputFault;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Encoded;
import org.jspecify.annotations.Nullable;

/**
 * A context in the terms of a spec, or why it cannot be answered under it, whatever came before.
 */
public record ContextReading(Encoded encoded, RequestCandidates own) {

  public static ContextReading of(ContextEvent event, CompiledSpec spec) {
    Encoded encoded = spec.encoder().encode(event.attributes());
    return new ContextReading(
        encoded, encoded.isValid() ? RequestCandidates.of(event, spec) : RequestCandidates.NONE);
  }

  @Nullable
  public InputFault fault() {
    return encoded.isValid() ? own.fault() : ReadingFaults.of("", encoded);
  }

  /** Returns what the person is like, where there is no fault. */
  public Profile person() {
    return new Profile(encoded.levels(), encoded.numbers());
  }
}
