package io.equipoise.audit.verify;

import static io.equipoise.audit.verify.TamperedLog.assertClean;
import static io.equipoise.audit.verify.TamperedLog.assertNames;
import static io.equipoise.audit.verify.TamperedLog.name;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.ContextLedger;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Breaks every other invariant on purpose in a log of at-least-once delivery. */
@Tag("slow")
class TamperedWriterEpochsTest extends WriterEpochsFixture {
  @Test
  void aDroppedAnswerLeavesAContextUnansweredAndAGap() {
    Placed ordinary = ordinary();
    log.remove(placedIn(ordinary.at()));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I1, name(ordinary.decision()), "it has no decision");
    assertNames(
        findings, Invariant.I4, "segment " + ordinary.decision().segment(), "seq goes from");
  }

  @Test
  void anAppliedRewardThatIsDoubledIsNamed() {
    LogRecord applied = segmentEvent(it -> it.type() == SegmentEventType.REWARD_APPLIED);
    log.doubled(applied);
    List<Finding> findings = check();
    assertNames(findings, Invariant.I2, "decision_id ", "was applied before");
    assertNames(findings, Invariant.I4, "segment ", "an earlier change has this seq");
  }

  @Test
  void anAppliedRewardThatIsDroppedIsNamed() {
    log.remove(segmentEvent(it -> it.type() == SegmentEventType.REWARD_APPLIED));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I2, "decision_id ");
    assertNames(findings, Invariant.I4, "segment ", "seq goes from");
  }

  private LogRecord segmentEvent(Predicate<SegmentEvent> what) {
    return log.first(
        LogTopic.SEGMENT_EVENTS,
        at -> {
          SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(at.value());
          return what.test(segmentEvent) && !history.isWithdrawn(segmentEvent.place());
        });
  }

  @Test
  void aLearnedRewardThatIsAnotherIsFoundByTheOracle() {
    LogRecord applied =
        segmentEvent(
            it -> it.type() == SegmentEventType.REWARD_APPLIED && it.learnedReward() != null);
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(applied.value());
    log.replace(
        applied, Wire.SEGMENT_EVENT.encode(Tamper.with(segmentEvent, "learnedReward", 0.37)));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, "segment " + segmentEvent.segment());
    assertClean(findings, Invariant.I1, Invariant.I4, Invariant.I7);
  }

  @Test
  void aDigestThatIsAnotherIsFoundTogetherAndAlone() {
    LogRecord snapshot = snapshot();
    SegmentMetrics metrics = Wire.METRICS.decode(snapshot.value());
    log.replace(
        snapshot, Wire.METRICS.encode(Tamper.with(metrics, "digests.model", "0".repeat(32))));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I3, "segment " + metrics.segment(), "digests.model");
    assertNames(findings, Invariant.I5, "segment " + metrics.segment(), "digests.model");
  }

  @Test
  void aLedgerThatCountsOtherwiseIsNamed() {
    LogRecord snapshot = snapshot();
    SegmentMetrics metrics = Wire.METRICS.decode(snapshot.value());
    ContextLedger contexts = metrics.contexts();
    ContextLedger more = Tamper.with(contexts, "decided", contexts.decided() + 1);
    log.replace(snapshot, Wire.METRICS.encode(Tamper.with(metrics, "contexts", more)));
    assertNames(check(), Invariant.I6, "segment " + metrics.segment(), "contexts decided");
  }

  @Test
  void aSnapshotThatTellsOtherGroupsAndOneDroppedAreNamed() {
    LogRecord counted = log.first(LogTopic.METRICS, at -> stays(at, "s0", MetricsTrigger.COUNT));
    SegmentMetrics metrics = Wire.METRICS.decode(counted.value());
    SegmentMetrics wrong = Tamper.with(metrics, "violations", metrics.fairness().violations() + 1);
    log.replace(counted, Wire.METRICS.encode(wrong));
    String key = "segment s0, seq " + metrics.seq();
    assertNames(check(), Invariant.I3, key, "of the snapshot, fairness.violations: the log has");
    log.remove(placedIn(counted));
    assertNames(check(), Invariant.I3, key, "is not on the metrics topic");
  }

  private boolean stays(LogRecord at, String segment, MetricsTrigger trigger) {
    SegmentMetrics metrics = Wire.METRICS.decode(at.value());
    return metrics.segment().equals(segment)
        && metrics.trigger() == trigger
        && !history.isWithdrawn(metrics.place());
  }

  private LogRecord snapshot() {
    return log.first(
        LogTopic.METRICS,
        at -> {
          SegmentMetrics metrics = Wire.METRICS.decode(at.value());
          return metrics.segment().equals("s0") && !history.isWithdrawn(metrics.place());
        });
  }

  @Test
  void aFairnessRecordThatIsAnotherDoubledOrDroppedIsNamed() {
    LogRecord at = audit(false);
    FairnessAudit audit = Wire.AUDIT.decode(at.value());
    String name = "segment %s, seq %d, attribute S".formatted(audit.segment(), audit.seq());
    AuditVerdict fair = AuditVerdict.CERTIFIED_FAIR;
    log.replace(at, Wire.AUDIT.encode(Tamper.with(audit, "verdict", fair)));
    assertNames(check(), Invariant.I3, name, "verdict: the log has CERTIFIED_FAIR, the replay ");
    log.replace(placedIn(at), at.value());
    log.doubled(at);
    assertNames(check(), Invariant.I3, name, "or has it twice");
    log.remove(log.first(LogTopic.AUDIT, it -> Wire.AUDIT.decode(it.value()).equals(audit)));
    log.remove(log.first(LogTopic.AUDIT, it -> Wire.AUDIT.decode(it.value()).equals(audit)));
    assertNames(check(), Invariant.I3, name, "is not on its topic");
  }

  @Test
  void whatDeadWriterEpochsWroteOfFairnessHarmsNobody() {
    LogRecord at = audit(true);
    FairnessAudit dead = Wire.AUDIT.decode(at.value());
    log.doubled(at);
    log.replace(at, Wire.AUDIT.encode(Tamper.with(dead, "verdict", AuditVerdict.CERTIFIED_FAIR)));
    log.remove(audit(true, dead.seq() + 1));
    assertEquals(Verdict.OK, TamperedLog.of(check(), Invariant.I3).verdict());
  }

  /** Its decisions may come yet, as long as the job runs. */
  @Test
  void whatAWriterEpochWroteOfFairnessBeforeAnyChangeIsOneTooManyOnlyAtTheEnd() {
    LogRecord at = audit(false);
    FairnessAudit ahead = Tamper.with(Wire.AUDIT.decode(at.value()), "writerEpoch", 1_000);
    log.append(
        LogTopic.AUDIT, at.slice().partition(), at.timestamp(), at.key(), Wire.AUDIT.encode(ahead));
    assertEquals(Verdict.VIOLATED, TamperedLog.of(check(), Invariant.I3).verdict());
    VerifyOptions live =
        new VerifyOptions(false, Duration.ZERO, MEMORY, 3, List.of(), Duration.ofMillis(1), null);
    List<Finding> findings = new Auditor(log, played.texts(), live).check();
    assertEquals(Verdict.OK, TamperedLog.of(findings, Invariant.I3).verdict());
  }

  private LogRecord audit(boolean isWithdrawn) {
    return audit(isWithdrawn, 6);
  }

  /** Returns the first fairness record of a decision from a seq on that survived, or did not. */
  private LogRecord audit(boolean isWithdrawn, long from) {
    return log.first(
        LogTopic.AUDIT,
        at -> {
          FairnessAudit audit = Wire.AUDIT.decode(at.value());
          return audit.verdict() != AuditVerdict.CERTIFIED_FAIR
              && audit.seq() >= from
              && history.isWithdrawn(audit.place()) == isWithdrawn;
        });
  }

  @Test
  void aBadInputWithoutADeadLetterIsNamedAndADoubledLetterIsNot() {
    DeadLetter letter = Wire.DEAD_LETTER.decode(undecodable().value());
    log.doubled(undecodable());
    assertClean(check(), Invariant.I7);
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.DEAD_LETTER, partition)
          .removeIf(
              at -> {
                DeadLetter other = Wire.DEAD_LETTER.decode(at.value());
                return other.source().equals(letter.source());
              });
    }
    assertNames(check(), Invariant.I7, letter.source().topic() + "/", "has no dead letter");
  }

  @Test
  void aDeadLetterWithOtherBytesIsNamed() {
    LogRecord at = undecodable();
    DeadLetter letter = Wire.DEAD_LETTER.decode(at.value());
    byte[] bytes = Arrays.copyOf(letter.input().value(), letter.input().value().length + 1);
    log.replace(at, Wire.DEAD_LETTER.encode(Tamper.with(letter, "value", bytes)));
    assertNames(check(), Invariant.I7, letter.source().topic() + "/", "contains other bytes");
  }

  private LogRecord undecodable() {
    return log.first(
        LogTopic.DEAD_LETTER, at -> Wire.DEAD_LETTER.decode(at.value()).segment() == null);
  }

  @Test
  void markersAreNoAnswersAfterAFault() {
    List<LogRecord> contexts = log.records(LogTopic.CONTEXTS, 0);
    Instant fault = Instant.ofEpochMilli(contexts.get(contexts.size() / 2).timestamp());
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      log.records(LogTopic.DECISIONS, partition)
          .removeIf(at -> at.timestamp() > fault.toEpochMilli() && !at.isMarker());
    }
    assertNames(check(List.of(fault), null), Invariant.I8, "fault at ", "no decision");
  }

  @Test
  void aWithdrawnAnswerThatAReaderSawAndIsGoneIsNamed() throws IOException {
    List<String> lines = new ArrayList<>(List.of(WitnessLine.HEADER));
    for (LogRecord at : log.records(LogTopic.DECISIONS, 0)) {
      lines.add(WitnessLine.of(at).text());
    }
    Path witness = Files.write(directory.resolve("seen.tsv"), lines);
    assertEquals(Verdict.OK, TamperedLog.of(check(List.of(), witness), Invariant.I9).verdict());
    log.remove(placedIn(valid(it -> it.isWithdrawn() && it.at().slice().partition() == 0).at()));
    assertNames(check(List.of(), witness), Invariant.I9, "test.decisions/0/", "withdrawn");
  }
}
