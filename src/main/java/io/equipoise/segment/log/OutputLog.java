package io.equipoise.segment.log;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import java.util.List;

/** Where a segment's records go, in the order in which they are written. */
public interface OutputLog {

  /** Takes an answer to a context. */
  void decision(Decision decision);

  /** Takes one fairness record. */
  void audit(FairnessAudit audit);

  /** Takes the fairness records of one decision, in the order of the levels in the spec. */
  default void audits(List<FairnessAudit> ofOneDecision) {
    ofOneDecision.forEach(this::audit);
  }

  /** Takes a closed phase of a best-arm experiment, or its end. */
  void experiment(ExperimentRecord experiment);

  /** Takes a change of state other than a decision. */
  void segmentEvent(SegmentEvent segmentEvent);

  /** Takes a snapshot of a segment's counts. */
  void metrics(SegmentMetrics metrics);

  /** Takes a record that could not be used. */
  void deadLetter(DeadLetter letter);

  /** Takes the failure of a policy at a snapshot or a lost decision, which refuses no input. */
  default void policyFailed(String why) {}
}
