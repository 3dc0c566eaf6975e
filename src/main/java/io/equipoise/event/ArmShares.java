package io.equipoise.event;

import java.util.List;

/**
 * Counts how often arms were decided. {@code avro/SegmentMetrics.avsc} documents the meaning of
 * every component.
 */
public record ArmShares(List<ArmShare> listed, int leftOut, long decisionsLeftOut) {
  public ArmShares {
    listed = List.copyOf(listed);
  }
}
