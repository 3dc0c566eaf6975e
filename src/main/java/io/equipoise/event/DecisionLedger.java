package io.equipoise.event;

/** Counts the decisions made, each in one account; see {@code avro/SegmentMetrics.avsc}. */
public record DecisionLedger(
    long awaiting, long settled, long timedOut, long evicted, long closedNotLearnable) {
  /** Returns the number of decisions. */
  public long made() {
    return awaiting + settled + timedOut + evicted + closedNotLearnable;
  }
}
