package io.equipoise.audit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.RestlessDeployment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the report makes of experiments whose job was killed and wrote records again. */
@Tag("slow")
class SurvivingExperimentsTest {
  private static final long MEMORY = 64 << 20;
  private static final int STEPS = 1_200;

  private final TwoWriterEpochs writerEpochs = new TwoWriterEpochs();
  private final MemoryLog log = new MemoryLog();

  private void append(LogTopic topic, @Nullable WriterEpochMarker marker, byte @Nullable [] value) {
    if (marker == null) {
      log.append(topic, 0, 0, MemoryLog.bytes(writerEpochs.segment()), value);
    } else {
      log.mark(0, 0, marker);
    }
  }

  private static SurvivingExperiments of(MemoryLog log, long memory) {
    return new SurvivingExperiments(log, () -> log, memory);
  }

  private static List<LoggedExperiment> read(MemoryLog log) throws InterruptedException {
    return of(log, MEMORY).read(null, UnaryOperator.identity());
  }

  @Test
  void aPhaseThatWasClosedAgainAfterAFailureIsReportedOnce() throws InterruptedException {
    writerEpochs.first(this::append);
    writerEpochs.second(this::append);
    writerEpochs.rest(this::append);
    List<LoggedExperiment> experiments = read(log);
    assertEquals(1, experiments.size());
    ExperimentLog undisturbed = new ExperimentLog();
    TwoWriterEpochs.undisturbed().forEach(undisturbed::add);
    assertEquals(undisturbed.experiments(null).get(0).lines(), experiments.get(0).lines());
  }

  @Test
  void aPhaseThatWasWithdrawnAndIsNotClosedAgainYetIsNotReported() throws InterruptedException {
    writerEpochs.first(this::append);
    assertEquals(2, read(log).get(0).phases().size());
    writerEpochs.second(this::append);
    assertEquals(1, read(log).get(0).phases().size());
  }

  @Test
  void anEndThatWasWithdrawnIsNone() throws InterruptedException {
    writerEpochs.first(this::append);
    writerEpochs.second(this::append);
    writerEpochs.rest(this::append);
    ExperimentRecord end = read(log).get(0).end();
    append(LogTopic.DECISIONS, new WriterEpochMarker(3, 0, 127), null);
    SegmentEvent any =
        Wire.SEGMENT_EVENT.decode(log.records(LogTopic.SEGMENT_EVENTS, 0).get(0).value());
    SegmentEvent again = Tamper.with(any, "writerEpoch", 3);
    again = Tamper.with(again, "seq", end.seq());
    append(LogTopic.SEGMENT_EVENTS, null, Wire.SEGMENT_EVENT.encode(again));
    LoggedExperiment running = read(log).get(0);
    assertEquals(null, running.end());
    assertTrue(running.phases().stream().allMatch(phase -> phase.seq() < end.seq()));
  }

  @Test
  void whatAFrozenProcessAppendsLateIsNotReported() throws InterruptedException {
    writerEpochs.first(this::append);
    writerEpochs.second(this::append);
    writerEpochs.rest(this::append);
    List<LoggedExperiment> before = read(log);
    List<LogRecord> records = List.copyOf(log.records(LogTopic.EXPERIMENTS, 0));
    ExperimentRecord last = Wire.EXPERIMENT.decode(records.get(records.size() - 2).value());
    ExperimentRecord late = Tamper.with(last, "writerEpoch", 1);
    late = Tamper.with(late, "seq", last.seq() - 1);
    append(LogTopic.EXPERIMENTS, null, Wire.EXPERIMENT.encode(late));
    assertEquals(before, read(log));
  }

  @Test
  void withExactlyOnceNobodyNeedsDecisionsAndSegmentEvents() throws InterruptedException {
    TwoWriterEpochs.undisturbed()
        .forEach(audit -> append(LogTopic.EXPERIMENTS, null, Wire.EXPERIMENT.encode(audit)));
    SurvivingExperiments plain =
        new SurvivingExperiments(
            log,
            () -> {
              throw new AssertionError("nobody was killed");
            },
            MEMORY);
    LoggedExperiment experiment = plain.read(null, UnaryOperator.identity()).get(0);
    assertFalse(plain.isCut());
    assertEquals(TwoWriterEpochs.undisturbed().size(), experiment.phases().size() + 1);
  }

  @Test
  void retentionThatMayHideAFailureIsTold() throws InterruptedException {
    writerEpochs.first(this::append);
    log.retain(LogTopic.DECISIONS, 0, 1);
    SurvivingExperiments experiments = of(log, MEMORY);
    experiments.read(null, UnaryOperator.identity());
    assertTrue(experiments.isCut());
    assertTrue(experiments.caveats().get(0).contains("retention"), "" + experiments.caveats());
  }

  @Test
  void moreThanMayBeHeldIsRefusedWithTheRemedy() {
    writerEpochs.first(this::append);
    InconclusiveException records =
        assertThrows(
            InconclusiveException.class, () -> of(log, 1_000).read(null, UnaryOperator.identity()));
    assertTrue(records.getMessage().contains("--memory"), records.getMessage());
    assertTrue(records.getMessage().contains("--segment"), records.getMessage());
  }

  @Test
  void experimentsAndWriterEpochsShareWhatMayBeHeld() throws InterruptedException {
    writerEpochs.first(this::append);
    long records = 0;
    for (LogRecord at : log.records(LogTopic.EXPERIMENTS, 0)) {
      records += 8L * at.value().length;
    }
    SurvivingExperiments justTheRecords = of(log, records);
    InconclusiveException attempted =
        assertThrows(
            InconclusiveException.class, () -> justTheRecords.read(null, UnaryOperator.identity()));
    assertTrue(attempted.getMessage().contains("writer epochs"), attempted.getMessage());
    assertEquals(1, of(log, records + 1_000).read(null, UnaryOperator.identity()).size());
  }

  @Test
  void whatCannotBeReadIsSaidToBeOfAnotherVersion() throws InterruptedException {
    writerEpochs.first(this::append);
    append(LogTopic.EXPERIMENTS, null, new byte[] {(byte) 0xC3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 7});
    SurvivingExperiments experiments = of(log, MEMORY);
    experiments.read(null, UnaryOperator.identity());
    assertEquals(
        List.of("1 record is left out: invalid or of another version"), experiments.caveats());
  }

  @Test
  void recordsOfOtherSegmentsTakeNoRoom() throws InterruptedException {
    writerEpochs.first(this::append);
    assertEquals(List.of(), of(log, 1_000).read("another", UnaryOperator.identity()));
  }

  @Test
  void whatIsReportedIsWhatTheSegmentEventsThatSurviveSay() throws InterruptedException {
    int withdrawn = 0;
    for (int seed = 1; seed <= Tier.count(3, 200); seed++) {
      MemoryLog played = new RestlessDeployment(seed, STEPS).log;
      TreeSet<String> closed = new TreeSet<>(); // by segment and seq
      List<Change> changes = changes(played);
      for (Change change : changes) {
        if (change.isPhase && isWithdrawn(change, changes)) {
          withdrawn++;
        } else if (change.isPhase) {
          closed.add(change.segment + "/" + change.seq);
        }
      }
      List<String> reported = new ArrayList<>();
      for (LoggedExperiment experiment : read(played)) {
        experiment.phases().forEach(phase -> reported.add(phase.segment() + "/" + phase.seq()));
        for (int phase = 0; phase < experiment.phases().size(); phase++) {
          assertEquals(phase, experiment.phases().get(phase).phase().place(), "seed " + seed);
        }
      }
      assertEquals(List.copyOf(closed), reported.stream().sorted().toList(), "seed " + seed);
    }
    assertTrue(withdrawn > 0, "no phase was withdrawn; nothing was tested");
  }

  private record Change(String segment, int writerEpoch, long seq, boolean isPhase) {}

  private static boolean isWithdrawn(Change change, List<Change> all) {
    return all.stream()
        .anyMatch(
            other ->
                other.segment.equals(change.segment)
                    && other.writerEpoch > change.writerEpoch
                    && other.seq <= change.seq);
  }

  /** Lists all changes that were ever written, void ones too: those began where theirs did. */
  private static List<Change> changes(MemoryLog log) {
    List<Change> changes = new ArrayList<>();
    for (LogTopic topic : List.of(LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS)) {
      try (LogReader reader = log.read(log.slices(topic))) {
        for (LogRecord at = reader.next(); at != null; at = reader.next()) {
          if (topic == LogTopic.SEGMENT_EVENTS) {
            SegmentEvent one = Wire.SEGMENT_EVENT.decode(at.value());
            boolean isPhase = one.type() == SegmentEventType.PHASE_CLOSED;
            changes.add(new Change(one.segment(), one.writerEpoch(), one.seq(), isPhase));
          } else if (!at.isMarker()) {
            Decision one = Wire.DECISION.decode(at.value());
            if (one.seq() > 0) { // else it changes nothing
              changes.add(new Change(one.segment(), one.writerEpoch(), one.seq(), false));
            }
          }
        }
      }
    }
    return changes;
  }
}
