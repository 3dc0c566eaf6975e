package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps what a segment wrote, by topic and all together in order. */
public final class RecordedLog implements OutputLog {
  private static final Set<String> LEDGERS = Set.of("contexts", "decisions", "rewards");

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
   * Feeds the log to an oracle, which must write the same fairness records and snapshots besides.
   *
   * @param saved the state that the log goes on from, null where it is whole
   */
  public void replay(SpecBook book, PriorBook priors, @Nullable SavedSegment saved) {
    List<FairnessAudit> written = new ArrayList<>();
    Oracle oracle = new Oracle(book, priors, written::add);
    if (saved != null) {
      oracle.begin(Scenario.SEGMENT, saved);
    }
    replayWithSnapshots(oracle);
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
    assertSame(logged, written, Set.of(), logged.kind() + " at seq " + logged.seq());
  }

  private static void assertSame(
      Record logged, Record written, Set<String> notCompared, String what) {
    for (RecordComponent field : logged.getClass().getRecordComponents()) {
      if (!notCompared.contains(field.getName())) {
        try {
          assertEquals(
              field.getAccessor().invoke(logged),
              field.getAccessor().invoke(written),
              () -> field.getName() + " of a " + what);
        } catch (ReflectiveOperationException e) {
          throw new LinkageError("cannot read " + field, e);
        }
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
    all.forEach(record -> repeat(oracle, record));
  }

  /** Returns the snapshot that the oracle writes in the place of one, else null. */
  private static @Nullable SegmentMetrics repeat(Oracle oracle, Record record) {
    if (record instanceof Decision decision) {
      if (decision.seq() != UncoveredSegment.UNNUMBERED) {
        oracle.onDecision(decision);
      }
    } else if (record instanceof Outcome outcome) {
      oracle.onOutcome(outcome);
    } else if (record instanceof SegmentMetrics snapshot) {
      return oracle.onMetrics(snapshot);
    }
    return null;
  }

  /** The oracle writes the same snapshots, and knows of none to be due that is not there. */
  private void replayWithSnapshots(Oracle oracle) {
    DueSnapshot due = null;
    for (Record record : all) {
      SegmentMetrics written = repeat(oracle, record);
      if (written != null) {
        assertSame(record, written, LEDGERS, "snapshot of seq " + written.seq());
      } else {
        assertTrue(due == null || due.mayBe(oracle.due(Scenario.SEGMENT)), due + " is not there");
      }
      due = oracle.due(Scenario.SEGMENT);
    }
    assertNull(due);
  }
}
