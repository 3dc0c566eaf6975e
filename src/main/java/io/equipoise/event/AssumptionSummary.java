package io.equipoise.event;

import java.util.List;

/**
 * Summarizes what rewards say about the assumptions of a spec; see {@code
 * avro/SegmentMetrics.avsc}.
 */
public record AssumptionSummary(List<String> tested, List<String> refuted, List<String> untested) {
  /** Has no assumptions, as without a spec. */
  public static final AssumptionSummary NONE =
      new AssumptionSummary(List.of(), List.of(), List.of());

  public AssumptionSummary {
    tested = List.copyOf(tested);
    refuted = List.copyOf(refuted);
    untested = List.copyOf(untested);
  }
}
