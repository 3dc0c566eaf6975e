package io.equipoise.segment;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.InputFault;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Encoded;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a context under a spec, or finds the fault that rejects it in every state of the segment.
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

  /** Returns the encoded person; valid only if there is no fault. */
  public Profile person() {
    return new Profile(encoded.levels(), encoded.numbers());
  }
}
