package io.equipoise.event;

/** Counts contexts read, each in one class; see {@code avro/SegmentMetrics.avsc}. */
public record ContextLedger(
    long decided, long rejected, long deadlineExceeded, long duplicate, long conflicting) {
  /** Returns the same with other counts of contexts whose id was answered before. */
  public ContextLedger withRepeated(long duplicates, long conflicts) {
    return new ContextLedger(decided, rejected, deadlineExceeded, duplicates, conflicts);
  }
}
