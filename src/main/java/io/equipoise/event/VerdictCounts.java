package io.equipoise.event;

/** Counts the audited pairs by verdict; see {@code avro/SegmentMetrics.avsc}. */
public record VerdictCounts(
    long certifiedFair,
    long unfair,
    long noOverlap,
    long fair,
    long uncertain,
    long notIdentified) {}
