package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.AuditKind;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentMetrics;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /**
   * Feeds the log to an oracle, which must write the same fairness records besides.
   *
   * @param saved the state that the log goes on from, null where it is whole
   */
  public void replay(SpecBook book, PriorBook priors, @Nullable SavedSegment saved) {
    List<FairnessAudit> written = new ArrayList<>();
    Oracle oracle = new Oracle(book, priors, written::add);
    if (saved != null) {
      oracle.begin(Scenario.SEGMENT, saved);
    }
    replay(oracle);
    List<FairnessAudit> logged =
        all.stream()
            .filter(FairnessAudit.class::isInstance)
            .map(FairnessAudit.class::cast)
            .toList();
    for (int i = 0; i < Math.min(logged.size(), written.size()); i++) {
      assertSame(withoutRewards(logged.get(i)), withoutRewards(written.get(i)));
    }
    assertEquals(logged.size(), written.size());
  }

  /** A segment that has lost its spec's text tells less of the experiment that it aborts. */
  private static void assertSame(FairnessAudit logged, FairnessAudit written) {
    if (logged.specNumber() == null) {
      assertEquals(AuditKind.TERMINAL, written.kind());
      return;
    }
    for (RecordComponent field : FairnessAudit.class.getRecordComponents()) {
      try {
        assertEquals(
            field.getAccessor().invoke(logged),
            field.getAccessor().invoke(written),
            () -> field.getName() + " of a " + logged.kind() + " at seq " + logged.seq());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("cannot read " + field, e);
      }
    }
  }

  /** No change tells of rewards that came late or again. */
  private static FairnessAudit withoutRewards(FairnessAudit audit) {
    PhaseAudit phase = audit.phase();
    return phase == null ? audit : audit.with(phase.with(0, 0));
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
