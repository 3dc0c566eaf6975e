package io.equipoise.join.disclosure;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Hidden;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;

/**
 * Returns the plain records, bit for bit, behind those of a deployment that hides; a plain record
 * is returned as it is. Throws {@link SealedException} where that cannot be had. For one thread at
 * a time.
 */
public final class Revealer {
  private final KeyRing keys;

  /** Reveals what these keys open. */
  public Revealer(KeyRing keys) {
    this.keys = keys;
  }

  /** Reveals a decision. */
  public Decision reveal(Decision decision) {
    Hidden hidden = decision.hidden();
    return hidden == null ? decision : DecisionVeil.reveal(decision, hidden, keys);
  }

  /** Reveals an outcome. */
  public Outcome reveal(Outcome outcome) {
    Hidden hidden = outcome.hidden();
    return hidden == null ? outcome : OutcomeVeil.reveal(outcome, hidden, keys);
  }

  /** Reveals a fairness record. */
  public FairnessAudit reveal(FairnessAudit audit) {
    Hidden hidden = audit.hidden();
    return hidden == null ? audit : AuditVeil.reveal(audit, hidden, keys);
  }

  /** Reveals a snapshot, but for groups that were left out. */
  public SegmentMetrics reveal(SegmentMetrics metrics) {
    Hidden hidden = metrics.hidden();
    return hidden == null ? metrics : MetricsVeil.reveal(metrics, hidden, keys);
  }

  /** Reveals a dead letter. */
  public DeadLetter reveal(DeadLetter letter) {
    Hidden hidden = letter.hidden();
    return hidden == null ? letter : LetterVeil.reveal(letter, hidden, keys);
  }
}
