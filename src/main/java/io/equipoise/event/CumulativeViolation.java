package io.equipoise.event;

/**
 * Sums of a segment's violations. Meaning and unit of every component are documented in {@code
 * avro/FairnessAudit.avsc}.
 */
public record CumulativeViolation(double estimated, double upper, double signed) {}
