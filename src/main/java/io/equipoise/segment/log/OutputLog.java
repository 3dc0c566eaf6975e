package io.equipoise.segment.log;

import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentOutput;
import java.util.List;

/** Receives the records that a segment writes, in their order. */
public interface OutputLog {

  /** Takes a record. */
  void write(SegmentOutput output);

  /** Takes the fairness records of one decision, in the order of the levels in the spec. */
  default void audits(List<FairnessAudit> ofOneDecision) {
    ofOneDecision.forEach(this::write);
  }

  /** Returns false if snapshots of a segment's counts need not be made: nobody reads them. */
  default boolean takesMetrics() {
    return true;
  }

  /** Takes the failure of a policy at a snapshot or a lost decision, which refuses no input. */
  default void policyFailed(String why) {}
}
