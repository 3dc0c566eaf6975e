package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/** What a SAMPLE is a sample of. {@code avro/Decision.avsc} documents the components. */
public record ExperimentSample(int phase, @Nullable Integer type) {}
