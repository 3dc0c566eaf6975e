package io.equipoise.event;

/** Counts the contexts read, each in one account; see {@code avro/SegmentMetrics.avsc}. */
public record ContextLedger(
    long decided, long rejected, long deadlineExceeded, long duplicate, long conflicting) {
  /** Returns a copy with other counts of repeated contexts. */
  public ContextLedger withRepeated(long duplicates, long conflicts) {
    return new ContextLedger(decided, rejected, deadlineExceeded, duplicates, conflicts);
  }
}
