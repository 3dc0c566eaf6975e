package io.equipoise.event;

/** Counts decisions made, each in one class; see {@code avro/SegmentMetrics.avsc}. */
public record DecisionLedger(
    long awaiting, long settled, long timedOut, long evicted, long closedNotLearnable) {}
