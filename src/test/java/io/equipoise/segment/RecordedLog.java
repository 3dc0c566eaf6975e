package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.Explanation;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SegmentOutput;
import io.equipoise.segment.log.OutputLog;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.replay.DueSnapshot;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segment.state.SpecRegistry;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keeps what a segment wrote, by topic and all together in order. */
public final class RecordedLog implements OutputLog {
  private static final Set<String> NOT_REPLAYED =
      Set.of("contexts", "decisions", "dedupEntries", "rewards");

  public final List<Decision> decisions = new ArrayList<>();
  public final List<FairnessAudit> audits = new ArrayList<>();
  public final List<ExperimentRecord> experiments = new ArrayList<>();
  public final List<SegmentEvent> segmentEvents = new ArrayList<>();
  public final List<SegmentMetrics> metrics = new ArrayList<>();
  public final List<DeadLetter> deadLetters = new ArrayList<>();
  public final List<Record> all = new ArrayList<>();
  public final List<String> policyFailures = new ArrayList<>();

  @Override
  public void policyFailed(String why) {
    policyFailures.add(why);
  }

  @Override
  public void write(SegmentOutput output) {
    all.add((Record) output);
    if (output instanceof Decision decision) {
      decisions.add(decision);
    } else if (output instanceof FairnessAudit audit) {
      audits.add(audit);
    } else if (output instanceof ExperimentRecord experiment) {
      experiments.add(experiment);
    } else if (output instanceof SegmentEvent segmentEvent) {
      segmentEvents.add(segmentEvent);
    } else if (output instanceof SegmentMetrics snapshot) {
      metrics.add(snapshot);
    } else if (output instanceof DeadLetter letter) {
      deadLetters.add(letter);
    }
  }

  /**
   * Feeds the log to an oracle, which must write the same fairness records and snapshots besides.
   *
   * @param saved the state that the log goes on from, null where it is whole
   */
  public void replay(
      SpecRegistry book, BoundsRegistry causalBounds, @Nullable SegmentSnapshot saved) {
    List<Explanation> written = new ArrayList<>();
    ReplayOracle replayOracle = new ReplayOracle(book, causalBounds, written::add);
    if (saved != null) {
      replayOracle.begin(Scenario.SEGMENT, saved);
    }
    replayWithSnapshots(replayOracle);
    List<Explanation> logged =
        all.stream().filter(Explanation.class::isInstance).map(Explanation.class::cast).toList();
    for (int i = 0; i < Math.min(logged.size(), written.size()); i++) {
      assertSame(logged.get(i), written.get(i));
    }
    assertEquals(logged.size(), written.size());
  }

  /** A segment that has lost its spec's text tells less of the experiment that it aborts. */
  private static void assertSame(Explanation logged, Explanation written) {
    String what = logged.getClass().getSimpleName() + " at seq " + logged.seq();
    if (!(logged instanceof ExperimentRecord record)) {
      assertSame((Record) logged, (Record) written, Set.of(), what);
      return;
    }
    ExperimentRecord other = assertInstanceOf(ExperimentRecord.class, written, what);
    if (record.specVersion() == null) {
      assertNotNull(other.terminal(), what);
    } else {
      assertSame(withoutRewards(record), withoutRewards(other), Set.of(), what);
    }
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
  private static ExperimentRecord withoutRewards(ExperimentRecord record) {
    PhaseAudit phase = record.phase();
    return phase == null
        ? record
        : record.with(
            record.design(),
            phase.with(phase.allocation(), phase.counts().withRewards(0, 0)),
            record.redaction());
  }

  /** Feeds the log to an oracle, which throws where it disagrees. */
  public void replay(ReplayOracle replayOracle) {
    all.forEach(record -> repeat(replayOracle, record));
  }

  /** Returns the snapshot that the oracle writes in the place of one, else null. */
  private static @Nullable SegmentMetrics repeat(ReplayOracle replayOracle, Record record) {
    if (record instanceof Decision decision) {
      if (decision.seq() != SegmentWithoutSpec.UNNUMBERED) {
        replayOracle.onDecision(decision);
      }
    } else if (record instanceof SegmentEvent segmentEvent) {
      replayOracle.onSegmentEvent(segmentEvent);
    } else if (record instanceof SegmentMetrics snapshot) {
      return replayOracle.onMetrics(snapshot);
    }
    return null;
  }

  /** The oracle writes the same snapshots, and knows of none to be due that is not there. */
  private void replayWithSnapshots(ReplayOracle replayOracle) {
    DueSnapshot due = null;
    for (Record record : all) {
      SegmentMetrics written = repeat(replayOracle, record);
      if (written != null) {
        assertSame(record, written, NOT_REPLAYED, "snapshot of seq " + written.seq());
      } else {
        assertTrue(
            due == null || due.mayBe(replayOracle.due(Scenario.SEGMENT)), due + " is not there");
      }
      due = replayOracle.due(Scenario.SEGMENT);
    }
    assertNull(due);
  }
}
