package io.equipoise.event;

/** Counts rewards read, each in one class; see {@code avro/SegmentMetrics.avsc}. */
public record RewardLedger(
    long applied,
    long buffered,
    long heldEarly,
    long duplicate,
    long conflicting,
    long late,
    long orphan,
    long notLearnable,
    long invalid) {}
