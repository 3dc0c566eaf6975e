package io.equipoise.event;

/** Counts the rewards read, each in one account; see {@code avro/SegmentMetrics.avsc}. */
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
