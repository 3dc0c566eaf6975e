package io.equipoise.audit.verify;

import static io.equipoise.audit.verify.TamperedLog.assertNames;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Attempts may read inputs again, but none of them twice, and none what was committed before. */
class RepeatedDispositionsTest extends WriterEpochsFixture {
  private static final String APPLIED = "it was applied at ";

  /** What a later attempt withdrew of a segment, and the reward that it took in afterwards. */
  private final SegmentEvent withdrawn = segmentEvent(null, true);

  private final SegmentEvent applied = segmentEvent(withdrawn, false);

  private SegmentEvent segmentEvent(@Nullable SegmentEvent before, boolean isWithdrawn) {
    LogRecord found =
        log.first(
            LogTopic.SEGMENT_EVENTS,
            at -> {
              SegmentEvent it = Wire.SEGMENT_EVENT.decode(at.value());
              boolean isAsked =
                  before == null
                      || (it.type() == SegmentEventType.REWARD_APPLIED
                          && it.segment().equals(before.segment())
                          && it.writerEpoch() > before.writerEpoch());
              return isAsked && history.isWithdrawn(it.place()) == isWithdrawn;
            });
    return Wire.SEGMENT_EVENT.decode(found.value());
  }

  private LogRecord rewardOf(MemoryLog in, SegmentEvent segmentEvent) {
    return in.first(
        LogTopic.REWARDS,
        it ->
            segmentEvent.source().partition() == it.slice().partition()
                && segmentEvent.source().offset() == it.offset());
  }

  private static void refuse(
      MemoryLog in, LogRecord input, String segment, String id, int writerEpoch, long seq) {
    DeadLetter letter =
        DeadLetter.undecodable(
                ErrorCode.LATE_REWARD,
                "it lies past the reward window",
                new Origin(
                    input.slice().name(),
                    input.slice().partition(),
                    input.offset(),
                    input.timestamp()),
                input.key(),
                input.value())
            .of(segment, id)
            .by(writerEpoch, seq);
    in.append(
        LogTopic.DEAD_LETTER,
        input.slice().partition(),
        input.timestamp(),
        input.key(),
        Wire.DEAD_LETTER.encode(letter));
  }

  private void refuseApplied(int writerEpoch, long seq) {
    LogRecord reward = rewardOf(log, applied);
    refuse(log, reward, applied.segment(), applied.decisionId(), writerEpoch, seq);
  }

  /** Returns the last change before those that an attempt withdrew. */
  private long boundary() {
    long first = withdrawn.seq();
    while (history.isWithdrawn(
        new Place(withdrawn.segment(), withdrawn.writerEpoch(), first - 1))) {
      first--;
    }
    return first - 1;
  }

  @Test
  void aRewardThatALaterWriterEpochTookInMayHaveBeenRefusedAtTheBoundary() {
    refuseApplied(withdrawn.writerEpoch(), boundary());
    List<Finding> findings = check();
    assertEquals(Verdict.OK, TamperedLog.of(findings, Invariant.I2).verdict());
    assertEquals(Verdict.OK, TamperedLog.of(findings, Invariant.I7).verdict());
  }

  @Test
  void aRewardThatWasRefusedBeforeACheckpointIsNotTakenInLater() {
    refuseApplied(withdrawn.writerEpoch(), boundary() - 1);
    assertNames(check(), Invariant.I2, "decision_id " + applied.decisionId(), APPLIED);
  }

  @Test
  void noWriterEpochBothTakesARewardInAndRefusesIt() {
    refuseApplied(applied.writerEpoch(), applied.seq());
    assertNames(check(), Invariant.I2, "decision_id " + applied.decisionId(), APPLIED);
  }

  @Test
  void noWriterEpochRefusesWhatAnEarlierOneTookInForGood() {
    refuseApplied(1_000, 1_000_000);
    assertNames(check(), Invariant.I2, "decision_id " + applied.decisionId(), APPLIED);
  }

  @Test
  void noWriterEpochRefusesTwice() {
    LogRecord letter = log.first(LogTopic.DEAD_LETTER, this::survives);
    log.doubled(letter);
    String id = "decision_id " + Wire.DEAD_LETTER.decode(letter.value()).input().decisionId();
    assertNames(check(), Invariant.I7, id, "it has a second dead letter");
  }

  private boolean survives(LogRecord at) {
    DeadLetter letter = Wire.DEAD_LETTER.decode(at.value());
    Place by = letter.place();
    return by != null && !history.isWithdrawn(by);
  }

  /** The marker stands behind everything: what came before was written exactly once. */
  @Test
  void aMarkerExcusesNothingThatWasWrittenBefore() {
    PlayedDeployment once = TamperedLog.PLAYED.copy();
    List<LogRecord> decisions = once.log.records(LogTopic.DECISIONS, 0);
    long end = decisions.get(decisions.size() - 1).timestamp() + 3_600_000;
    for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
      once.log.mark(partition, end, new WriterEpochMarker(1, 0, 15));
    }
    for (Finding finding : check(once).subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
    LogRecord letter =
        once.log.first(
            LogTopic.DEAD_LETTER, at -> Wire.DEAD_LETTER.decode(at.value()).change() == null);
    once.log.doubled(letter);
    assertNames(check(once), Invariant.I7, "test.", "it has a second dead letter");
    once.log.records(LogTopic.DEAD_LETTER, letter.slice().partition()).remove(letter);
    SegmentEvent taken =
        Wire.SEGMENT_EVENT.decode(
            once.log
                .first(
                    LogTopic.SEGMENT_EVENTS,
                    at ->
                        Wire.SEGMENT_EVENT.decode(at.value()).type()
                            == SegmentEventType.REWARD_APPLIED)
                .value());
    Decision answer =
        Wire.DECISION.decode(
            once.log
                .first(LogTopic.DECISIONS, at -> Wire.DECISION.decode(at.value()).isChosen())
                .value());
    LogRecord context =
        once.log.first(
            LogTopic.CONTEXTS,
            at ->
                at.slice().partition() == answer.source().partition()
                    && at.offset() == answer.source().offset());
    LogRecord reward = rewardOf(once.log, taken);
    refuse(once.log, reward, taken.segment(), taken.decisionId(), 0, taken.seq());
    refuse(once.log, context, answer.segment(), answer.decisionId(), 0, answer.seq());
    List<Finding> findings = check(once);
    assertNames(findings, Invariant.I2, "decision_id " + taken.decisionId(), APPLIED);
    assertNames(findings, Invariant.I7, "decision_id " + answer.decisionId(), "it was accepted");
  }

  private static List<Finding> check(PlayedDeployment played) {
    return new Auditor(played.log, played.texts(), AuditorTest.PLAIN).check();
  }
}
