package io.equipoise.event;

/** Counts contexts read, each in one class; see {@code avro/SegmentMetrics.avsc}. */
public record ContextLedger(
    long decided, long rejected, long stale, long duplicate, long conflicting) {}
