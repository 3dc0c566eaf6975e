package io.equipoise.join;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a replay writes in the place of one decision or outcome, and passes on what it writes
 * of fairness; nobody wants the rest.
 */
final class Rewritten implements OutputLog {
  private final Consumer<FairnessAudit> audits;
  private @Nullable Decision decision;
  private @Nullable Outcome outcome;

  Rewritten(Consumer<FairnessAudit> audits) {
    this.audits = audits;
  }

  /** Returns the decision that was written, or null. */
  @Nullable Decision decision() {
    return decision;
  }

  /** Returns the other change that was written, or null. */
  @Nullable Outcome outcome() {
    return outcome;
  }

  @Override
  public void decision(Decision written) {
    decision = written;
  }

  @Override
  public void outcome(Outcome written) {
    outcome = written;
  }

  @Override
  public void audit(FairnessAudit audit) {
    audits.accept(audit);
  }

  @Override
  public void metrics(SegmentMetrics metrics) {}

  @Override
  public void deadLetter(DeadLetter letter) {}
}
