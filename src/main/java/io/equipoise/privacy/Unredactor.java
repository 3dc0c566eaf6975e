package io.equipoise.privacy;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Redaction;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;

/**
 * Restores the plain records of redacted ones, bit for bit; plain records are returned unchanged.
 * Throws {@link CiphertextException} if that is not possible. Not thread-safe.
 */
public final class Unredactor {
  private final KeyRing keys;

  /** Prepares an unredactor with these keys. */
  public Unredactor(KeyRing keys) {
    this.keys = keys;
  }

  /** Restores a decision. */
  public Decision reveal(Decision decision) {
    Redaction redaction = decision.redaction();
    return redaction == null ? decision : DecisionRedactor.reveal(decision, redaction, keys);
  }

  /** Restores a segment event. */
  public SegmentEvent reveal(SegmentEvent segmentEvent) {
    Redaction redaction = segmentEvent.redaction();
    return redaction == null
        ? segmentEvent
        : SegmentEventRedactor.reveal(segmentEvent, redaction, keys);
  }

  /** Restores a fairness record. */
  public FairnessAudit reveal(FairnessAudit audit) {
    Redaction redaction = audit.redaction();
    return redaction == null ? audit : AuditRedactor.reveal(audit, redaction, keys);
  }

  /** Restores an experiment record. */
  public ExperimentRecord reveal(ExperimentRecord record) {
    Redaction redaction = record.redaction();
    return redaction == null ? record : ExperimentRedactor.reveal(record, redaction, keys);
  }

  /** Restores a snapshot, except for suppressed groups. */
  public SegmentMetrics reveal(SegmentMetrics metrics) {
    Redaction redaction = metrics.redaction();
    return redaction == null ? metrics : MetricsRedactor.reveal(metrics, redaction, keys);
  }

  /** Restores a dead letter. */
  public DeadLetter reveal(DeadLetter deadLetter) {
    Redaction redaction = deadLetter.redaction();
    return redaction == null ? deadLetter : DeadLetterRedactor.reveal(deadLetter, redaction, keys);
  }
}
