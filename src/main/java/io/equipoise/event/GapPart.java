package io.equipoise.event;

/**
 * Measures a part of the gap between two groups. {@code avro/SegmentMetrics.avsc} documents the
 * meaning and unit of every component.
 */
public record GapPart(
    String name, GapPartKind kind, double estimate, double lower, double upper, double unmatched) {
  /** Returns whether the interval excludes 0. */
  public boolean isProven() {
    return lower > 0 || upper < 0;
  }
}
