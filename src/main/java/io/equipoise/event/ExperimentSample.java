package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Assigns a SAMPLE to a phase of its experiment and a type of sample. {@code avro/Decision.avsc}
 * documents the components.
 */
public record ExperimentSample(int phase, @Nullable Integer type) {}
