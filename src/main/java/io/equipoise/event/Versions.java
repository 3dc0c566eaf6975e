package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Identifies the spec, causal bounds and model that were active. {@code avro/Decision.avsc}
 * documents the components.
 */
public record Versions(
    @Nullable String specHash,
    @Nullable Long specVersion,
    @Nullable String boundsHash,
    @Nullable Long boundsVersion,
    @Nullable String modelFingerprint) {
  /** Has neither spec, bounds nor model. */
  public static final Versions NONE = new Versions(null, null, null, null, null);

  /** Returns a copy with the spec only. */
  public Versions ofSpec() {
    return new Versions(specHash, specVersion, null, null, null);
  }
}
