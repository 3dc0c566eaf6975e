package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.console.Logs;
import io.equipoise.console.state.StoredRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.tools.evaluate.LoggedRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The records of an id that the job decided, forgot and decided again. */
class DecisionRecordsTest {
  private static final LoggedRun RUN = Logs.run("offers", 10);

  private final Decision first = RUN.decisions.get(0);
  private final Decision second =
      Tamper.with(RUN.decisions.get(1), "decisionId", first.decisionId());
  private final List<StoredRecord> stored =
      new ArrayList<>(List.of(stored(first, 100), stored(second, 200)));

  @Test
  void eachDecisionHasItsOwnAuditsAndEvents() {
    add(audit(first.seq(), 0), event(first.seq(), 0), audit(second.seq(), 0));
    List<DecisionRecords> all = DecisionRecords.of(stored);
    assertEquals(List.of(first, second), all.stream().map(DecisionRecords::decision).toList());
    assertEquals(List.of(100L, 200L), all.stream().map(DecisionRecords::time).toList());
    assertEquals("SETTLED", all.get(0).status());
    assertEquals("AWAITING", all.get(1).status());
    for (DecisionRecords each : all) {
      assertEquals(
          List.of(each.decision().seq()), each.audits().stream().map(FairnessAudit::seq).toList());
    }
  }

  /** The repetition has another seq, and a later epoch withdraws no record of the first. */
  @Test
  void aDecisionThatAFailureRepeatsHasTheRecordsOfItsRepetition() {
    Decision repeated = Tamper.with(Tamper.with(second, "seq", 50L), "writerEpoch", 2);
    stored.add(stored(repeated, 300));
    add(audit(first.seq(), 1), audit(second.seq(), 1), audit(50, 2), event(50L, 2));
    List<DecisionRecords> all = DecisionRecords.of(stored);
    assertEquals(List.of(first, second), all.stream().map(DecisionRecords::decision).toList());
    assertEquals(1, all.get(0).audits().size());
    assertEquals(List.of(50L), all.get(1).audits().stream().map(FairnessAudit::seq).toList());
    assertEquals("AWAITING", all.get(0).status());
    assertEquals("SETTLED", all.get(1).status());
  }

  @Test
  void aRecordThatNamesOnlyTheIdIsWithEachDecision() {
    DeadLetter ofFirst =
        DeadLetter.undecodable(
            ErrorCode.MALFORMED, "an attribute", first.source().origin(), null, null);
    DeadLetter ofReward = Tamper.with(ofFirst, "source.offset", 12_345L);
    add(event(null, 0), dead(ofFirst), dead(ofReward));
    List<DecisionRecords> all = DecisionRecords.of(stored);
    assertEquals(List.of(1, 1), all.stream().map(it -> it.events().size()).toList());
    assertEquals(List.of(2, 1), all.stream().map(it -> it.deadLetters().size()).toList());
  }

  private void add(StoredRecord... records) {
    stored.addAll(List.of(records));
  }

  private static StoredRecord stored(Decision decision, long time) {
    return new StoredRecord(LogTopic.DECISIONS, time, Wire.DECISION.encode(decision));
  }

  private static StoredRecord audit(long seq, int writerEpoch) {
    FairnessAudit any = Wire.AUDIT.decode(RUN.log.records(LogTopic.AUDIT, 1).get(0).value());
    FairnessAudit audit = Tamper.with(Tamper.with(any, "seq", seq), "writerEpoch", writerEpoch);
    return new StoredRecord(LogTopic.AUDIT, 0, Wire.AUDIT.encode(audit));
  }

  private static StoredRecord event(Long decisionSeq, int writerEpoch) {
    SegmentEvent applied =
        RUN.log.records(LogTopic.SEGMENT_EVENTS, 1).stream()
            .map(at -> Wire.SEGMENT_EVENT.decode(at.value()))
            .filter(it -> it.type() == SegmentEventType.REWARD_APPLIED)
            .findFirst()
            .orElseThrow();
    SegmentEvent event =
        Tamper.with(
            Tamper.with(applied, "decision.seq", decisionSeq), "place.writerEpoch", writerEpoch);
    return new StoredRecord(LogTopic.SEGMENT_EVENTS, 0, Wire.SEGMENT_EVENT.encode(event));
  }

  private static StoredRecord dead(DeadLetter deadLetter) {
    return new StoredRecord(LogTopic.DEAD_LETTER, 0, Wire.DEAD_LETTER.encode(deadLetter));
  }
}
