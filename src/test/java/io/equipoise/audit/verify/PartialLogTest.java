package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.state.BoundsRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Logs of which a part is not there yet, or not there any more, and little memory. */
@Tag("slow")
class PartialLogTest {
  private static final VerifyOptions LIVE = question(false, 64 << 20);
  private static final VerifyOptions FINAL = question(true, 64 << 20);

  /** Nobody plays it on; every test has a copy to tamper with. */
  private static final PlayedDeployment PLAYED = new PlayedDeployment(11, 500);

  private final PlayedDeployment played = PLAYED.copy();
  private final MemoryLog log = played.log;

  @Test
  void whatTheJobHasNotReadYetIsUnansweredOnlyWhenItWasStopped() {
    WireContext context =
        new WireContext("waiting", "s1", 1, Map.of("S", "a", "X", "low"), null, null);
    int partition = MemoryLog.partitionOf("s1");
    byte[] bytes = Wire.CONTEXT.encode(context);
    log.append(LogTopic.CONTEXTS, partition, 1, MemoryLog.bytes("s1"), bytes);
    assertOk(check(LIVE));
    Finding finding = TamperedLog.of(check(FINAL), Invariant.I1);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(finding.offender().startsWith("decision_id waiting of segment s1"));
  }

  /** The last decisions are hidden behind an open transaction, their neighbors are not. */
  @Test
  void aGapThatOnlyEvidenceStandsBehindIsNoOffender() {
    checkUpTo(cutDecisions());
    assertOk(check(LIVE));
  }

  /** Makes all that is not older than a record evidence only. */
  private void checkUpTo(LogRecord last) {
    for (LogTopic topic : LogTopic.values()) {
      for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
        int end = partition;
        long before =
            log.records(topic, partition).stream()
                .filter(record -> record.timestamp() < last.timestamp())
                .mapToLong(record -> record.offset() + 1)
                .max()
                .orElse(end);
        log.checkUpTo(topic, partition, before);
      }
    }
  }

  @Test
  void aFairnessRecordIsNoOffenderWhereItOrItsDecisionIsEvidenceOnly() {
    List<LogRecord> audits = log.records(LogTopic.AUDIT, MemoryLog.partitionOf("s1"));
    LogRecord doubled = audits.get(audits.size() - 2);
    LogRecord dropped = audits.get(audits.size() - 1);
    log.doubled(doubled);
    log.remove(dropped);
    Finding finding = TamperedLog.of(check(LIVE), Invariant.I3);
    assertEquals(2, finding.violations(), finding.toString());
    checkUpTo(doubled);
    assertOk(check(LIVE));
  }

  @Test
  void aSnapshotIsNoOffenderWhereItOrItsChangeIsEvidenceOnly() {
    List<LogRecord> snapshots = log.records(LogTopic.METRICS, MemoryLog.partitionOf("s1"));
    LogRecord doubled = snapshots.get(snapshots.size() / 2);
    List<LogRecord> later =
        snapshots.stream().filter(at -> at.timestamp() > doubled.timestamp()).toList();
    later.forEach(log::remove);
    log.doubled(doubled);
    Finding finding = TamperedLog.of(check(LIVE), Invariant.I3);
    assertTrue(finding.violations() > 2, finding.toString());
    checkUpTo(doubled);
    assertOk(check(LIVE));
  }

  /** Since then, and some minutes more: a decision and its records are appended apart. */
  @Test
  void fairnessRecordsAreMissedSinceRetentionHasLeftThem() {
    PlayedDeployment longer = new PlayedDeployment(11, 900);
    int partition = MemoryLog.partitionOf("s1");
    List<LogRecord> audits = longer.log.records(LogTopic.AUDIT, partition);
    longer.log.retain(LogTopic.AUDIT, partition, audits.get(20).offset());
    longer.log.remove(audits.get(0));
    Finding finding = stateOf(longer, 64 << 20);
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    assertEquals("fairness records that retention has removed were not checked", finding.why());
    longer.log.remove(audits.get(audits.size() - 1));
    finding = stateOf(longer, 64 << 20);
    assertEquals(1, finding.violations(), finding.toString());
    audits.clear();
    long end = longer.log.slices(LogTopic.AUDIT).get(partition).reach();
    longer.log.retain(LogTopic.AUDIT, partition, end);
    assertEquals(Verdict.OK, stateOf(longer, 64 << 20).verdict());
  }

  private static Finding stateOf(PlayedDeployment of, long memoryBytes) {
    Auditor auditor = new Auditor(of.log, of.texts(), question(true, memoryBytes));
    return TamperedLog.of(auditor.check(), Invariant.I3);
  }

  @Test
  void theSameGapIsAnOffenderWhereCheckedRecordsStandBehindIt() {
    cutDecisions();
    assertEquals(Verdict.VIOLATED, TamperedLog.of(check(LIVE), Invariant.I4).verdict());
  }

  @Test
  void aLogWhoseBeginningIsGoneIsNotReplayedAndSaysSo() {
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      for (LogTopic topic : List.of(LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS)) {
        log.retain(topic, partition, log.records(topic, partition).get(20).offset());
      }
      for (LogTopic topic : List.of(LogTopic.CONTEXTS, LogTopic.REWARDS)) {
        log.retain(topic, partition, log.records(topic, partition).get(60).offset());
      }
    }
    assertOldIsNotChecked(check(FINAL));
  }

  /** Their inputs are still there: their age tells that no output need be. */
  @Test
  void inputsOlderThanWhatIsLeftOfTheOutputsAreNotHeldAgainstAnybody() {
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      for (LogTopic topic :
          List.of(LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS, LogTopic.DEAD_LETTER)) {
        log.retain(topic, partition, log.records(topic, partition).get(20).offset());
      }
    }
    assertOldIsNotChecked(check(FINAL));
  }

  @Test
  void inputsThatRetentionHasRemovedBeforeTheJobReadThemAreNoted() {
    for (LogTopic topic : List.of(LogTopic.CONTEXTS, LogTopic.REWARDS)) {
      long end = log.slices(topic).get(0).reach();
      log.skip(topic, 0);
      log.skip(topic, 0);
      log.retain(topic, 0, end + 2);
      Invariant invariant = topic == LogTopic.CONTEXTS ? Invariant.I1 : Invariant.I2;
      String note = String.valueOf(TamperedLog.of(check(LIVE), invariant).why());
      String gap =
          "removed %s/0 from offset %d to %d".formatted(MemoryLog.TOPICS.of(topic), end, end + 1);
      assertTrue(note.contains(gap), note);
    }
  }

  private static void assertOldIsNotChecked(List<Finding> findings) {
    for (Invariant invariant : List.of(Invariant.I1, Invariant.I2, Invariant.I7)) {
      Finding finding = TamperedLog.of(findings, invariant);
      assertEquals(Verdict.OK, finding.verdict(), findings.toString());
      assertTrue(finding.checked() > 0, findings.toString());
    }
    for (Invariant invariant : List.of(Invariant.I3, Invariant.I4, Invariant.I5, Invariant.I6)) {
      assertEquals(
          Verdict.NOT_CHECKED, TamperedLog.of(findings, invariant).verdict(), findings.toString());
    }
  }

  @Test
  void aSpecWhoseTextIsGoneLeavesTheStateUnchecked() {
    SpecCatalog none =
        new SpecCatalog(new TestBook(), BoundsRegistry.NONE, List.of(), List.of(), Map.of());
    List<Finding> findings = new Auditor(log, none, FINAL).check();
    Finding oracle = TamperedLog.of(findings, Invariant.I3);
    assertEquals(Verdict.NOT_CHECKED, oracle.verdict());
    assertTrue(oracle.why().contains("is not on the specs topic"), oracle.why());
    assertEquals(Verdict.OK, TamperedLog.of(findings, Invariant.I4).verdict());
    assertEquals(Verdict.OK, TamperedLog.of(findings, Invariant.I1).verdict());
  }

  @Test
  void littleMemoryMeansMorePassesAndTheSameVerdicts() {
    List<Finding> plenty = check(FINAL);
    int few = log.reads;
    log.reads = 0;
    List<Finding> little = check(question(true, 70_000));
    assertTrue(log.reads > few, few + " and " + log.reads + " passes");
    assertOk(little);
    for (int i = 0; i < plenty.size(); i++) {
      assertEquals(plenty.get(i).checked(), little.get(i).checked(), little.get(i).toString());
    }
  }

  @Test
  void noMemoryAtAllIsToldSo() {
    assertThrows(InconclusiveException.class, () -> check(question(true, 100)));
  }

  private LogRecord cutDecisions() {
    List<LogRecord> decisions = log.records(LogTopic.DECISIONS, MemoryLog.partitionOf("s1"));
    List<LogRecord> tail = decisions.subList(decisions.size() - 12, decisions.size());
    LogRecord first = tail.get(0);
    tail.clear();
    return first;
  }

  private List<Finding> check(VerifyOptions verifyOptions) {
    return new Auditor(log, played.texts(), verifyOptions).check();
  }

  private static void assertOk(List<Finding> findings) {
    for (Finding finding : findings.subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), findings.toString());
    }
  }

  private static VerifyOptions question(boolean isFinal, long memoryBytes) {
    return new VerifyOptions(
        isFinal, Duration.ZERO, memoryBytes, 100, List.of(), Duration.ofSeconds(15), null);
  }
}
