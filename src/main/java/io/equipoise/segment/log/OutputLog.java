package io.equipoise.segment.log;

import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentOutput;
import java.util.List;

/** Receives the records that a segment writes, in their order. */
public interface OutputLog {

  /** Takes a record. */
  void write(SegmentOutput output);

  /** Takes the fairness records of one decision, in the order of its findings. */
  default void audits(List<FairnessAudit> ofOneDecision) {
    ofOneDecision.forEach(this::write);
  }

  /** Returns whether anyone reads snapshots of a segment's counts; if not, none are made. */
  default boolean takesMetrics() {
    return true;
  }

  /**
   * Takes the message of a failure that rejects no input: of a policy at a snapshot or a lost
   * decision, or of a split.
   */
  default void policyFailed(String why) {}
}
