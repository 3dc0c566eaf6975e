package io.equipoise.event;

/**
 * Sums of a segment's violations. {@code avro/FairnessAudit.avsc} documents the meaning and unit of
 * every component.
 */
public record CumulativeViolation(double estimated, double upper, double signed) {}
