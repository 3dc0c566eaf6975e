package io.equipoise.join;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;
import java.util.ArrayList;
import java.util.List;

/** Keeps what a segment wrote, by topic and all together in order. */
public final class RecordedLog implements OutputLog {
  public final List<Decision> decisions = new ArrayList<>();
  public final List<FairnessAudit> audits = new ArrayList<>();
  public final List<Outcome> outcomes = new ArrayList<>();
  public final List<SegmentMetrics> metrics = new ArrayList<>();
  public final List<DeadLetter> deadLetters = new ArrayList<>();
  public final List<Record> all = new ArrayList<>();

  @Override
  public void decision(Decision decision) {
    decisions.add(decision);
    all.add(decision);
  }

  @Override
  public void audit(FairnessAudit audit) {
    audits.add(audit);
    all.add(audit);
  }

  @Override
  public void outcome(Outcome outcome) {
    outcomes.add(outcome);
    all.add(outcome);
  }

  @Override
  public void metrics(SegmentMetrics snapshot) {
    metrics.add(snapshot);
    all.add(snapshot);
  }

  @Override
  public void deadLetter(DeadLetter letter) {
    deadLetters.add(letter);
    all.add(letter);
  }

  /** Feeds the log to an oracle, which throws where it disagrees. */
  public void replay(Oracle oracle) {
    for (Record record : all) {
      if (record instanceof Decision decision) {
        oracle.onDecision(decision);
      } else if (record instanceof Outcome outcome) {
        oracle.onOutcome(outcome);
      } else if (record instanceof SegmentMetrics snapshot) {
        oracle.onMetrics(snapshot);
      }
    }
  }
}
