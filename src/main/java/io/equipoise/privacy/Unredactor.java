package io.equipoise.privacy;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Redaction;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;

/**
 * Returns the plain records, bit for bit, behind those of a deployment that hides; a plain record
 * is returned as it is. Throws {@link CiphertextException} where that cannot be had. For one thread
 * at a time.
 */
public final class Unredactor {
  private final KeyRing keys;

  /** Reveals what these keys open. */
  public Unredactor(KeyRing keys) {
    this.keys = keys;
  }

  /** Reveals a decision. */
  public Decision reveal(Decision decision) {
    Redaction redaction = decision.redaction();
    return redaction == null ? decision : DecisionRedactor.reveal(decision, redaction, keys);
  }

  /** Reveals a segment event. */
  public SegmentEvent reveal(SegmentEvent segmentEvent) {
    Redaction redaction = segmentEvent.redaction();
    return redaction == null
        ? segmentEvent
        : SegmentEventRedactor.reveal(segmentEvent, redaction, keys);
  }

  /** Reveals a fairness record. */
  public FairnessAudit reveal(FairnessAudit audit) {
    Redaction redaction = audit.redaction();
    return redaction == null ? audit : AuditRedactor.reveal(audit, redaction, keys);
  }

  /** Reveals a record of an experiment. */
  public ExperimentRecord reveal(ExperimentRecord record) {
    Redaction redaction = record.redaction();
    return redaction == null ? record : ExperimentRedactor.reveal(record, redaction, keys);
  }

  /** Reveals a snapshot, but for groups that were left out. */
  public SegmentMetrics reveal(SegmentMetrics metrics) {
    Redaction redaction = metrics.redaction();
    return redaction == null ? metrics : MetricsRedactor.reveal(metrics, redaction, keys);
  }

  /** Reveals a dead letter. */
  public DeadLetter reveal(DeadLetter letter) {
    Redaction redaction = letter.redaction();
    return redaction == null ? letter : DeadLetterRedactor.reveal(letter, redaction, keys);
  }
}
