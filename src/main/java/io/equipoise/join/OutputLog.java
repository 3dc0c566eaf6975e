package io.equipoise.join;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;

/** Where a segment's records go, in the order in which they are written. */
public interface OutputLog {

  /** Takes an answer to a context. */
  void decision(Decision decision);

  /** Takes one fairness record of a decision. */
  void audit(FairnessAudit audit);

  /** Takes a change of state other than a decision. */
  void outcome(Outcome outcome);

  /** Takes a snapshot of a segment's counts. */
  void metrics(SegmentMetrics metrics);

  /** Takes a record that could not be used. */
  void deadLetter(DeadLetter letter);
}
