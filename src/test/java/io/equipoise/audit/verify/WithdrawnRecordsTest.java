package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentChange;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.RestlessDeployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a later attempt withdrew, in a log of at-least-once delivery. */
class WithdrawnRecordsTest {
  private static final long MEMORY = 64 << 20;

  private final RestlessDeployment played = new RestlessDeployment(3, 500);
  private final MemoryLog log = played.log;
  private final WriterEpochHistory history = WriterEpochHistory.read(log, MEMORY);

  /** Somebody saw it when it came, and it stays the answer whatever the job forgot. */
  @Test
  void anAnswerThatWasWithdrawnAndGivenAgainCameWhenItWasFirstSeen() {
    LogRecord answer = log.first(LogTopic.DECISIONS, this::isWithdrawnAnswer);
    Decision decision = Wire.DECISION.decode(answer.value());
    LogRecord context =
        log.records(LogTopic.CONTEXTS, decision.source().partition()).stream()
            .filter(at -> at.offset() == decision.source().offset())
            .findFirst()
            .orElseThrow();
    Instant fault = Instant.ofEpochMilli(context.timestamp() - 1);
    Duration took = Duration.ofMillis(answer.timestamp() - context.timestamp());
    Finding finding = TamperedLog.of(check(List.of(fault), took), Invariant.I8);
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
  }

  private boolean isWithdrawnAnswer(LogRecord at) {
    if (at.isMarker()) {
      return false;
    }
    Decision decision = Wire.DECISION.decode(at.value());
    return !decision.recovered() && history.isWithdrawn(decision.place());
  }

  @Test
  void aSegmentSaysWhenItRefusedARecord() {
    int told = 0;
    for (LogRecord at : log.records(LogTopic.DEAD_LETTER, 0)) {
      DeadLetter letter = Wire.DEAD_LETTER.decode(at.value());
      boolean isOfSegment = letter.segment() != null;
      SegmentChange change = letter.change();
      assertEquals(isOfSegment, change != null && change.writerEpoch() > 0);
      told += isOfSegment ? 1 : 0;
    }
    assertTrue(told > 0);
  }

  /** The first attempt refuses a reward and dies; the next one has its decision and loses it. */
  @Test
  void aRewardThatOnlyAWithdrawnWriterEpochRefusedIsLost() {
    SegmentEvent withdrawn =
        Wire.SEGMENT_EVENT.decode(log.first(LogTopic.SEGMENT_EVENTS, this::isWithdrawn).value());
    LogRecord applied =
        log.first(LogTopic.SEGMENT_EVENTS, at -> isAppliedAndStays(at, withdrawn.segment()));
    SegmentEvent lost = Wire.SEGMENT_EVENT.decode(applied.value());
    log.remove(applied);
    LogRecord letter = refuse(applied, lost, withdrawn.writerEpoch(), withdrawn.seq());
    assertEquals(Verdict.VIOLATED, of(Invariant.I2).verdict());
    log.remove(letter);
    refuse(applied, lost, withdrawn.writerEpoch(), 0);
    assertEquals(Verdict.OK, of(Invariant.I2).verdict(), "that was before the last checkpoint");
  }

  private boolean isWithdrawn(LogRecord at) {
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(at.value());
    return history.isWithdrawn(segmentEvent.place());
  }

  private boolean isAppliedAndStays(LogRecord at, String segment) {
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(at.value());
    boolean isApplied = segmentEvent.type() == SegmentEventType.REWARD_APPLIED;
    return isApplied && segmentEvent.segment().equals(segment) && !isWithdrawn(at);
  }

  /** Appends the letter of a reward that a segment event names. */
  private LogRecord refuse(LogRecord at, SegmentEvent segmentEvent, int writerEpoch, long seq) {
    LogRecord reward =
        log.first(
            LogTopic.REWARDS,
            it ->
                segmentEvent.source().partition() == it.slice().partition()
                    && segmentEvent.source().offset() == it.offset());
    DeadLetter letter =
        DeadLetter.undecodable(
                ErrorCode.LATE_REWARD,
                "it lies past the reward window",
                new Origin(
                    reward.slice().name(),
                    reward.slice().partition(),
                    reward.offset(),
                    reward.timestamp()),
                reward.key(),
                reward.value())
            .of(segmentEvent.segment(), segmentEvent.decisionId())
            .by(writerEpoch, seq);
    int partition = at.slice().partition();
    byte[] bytes = Wire.DEAD_LETTER.encode(letter);
    long offset =
        log.append(LogTopic.DEAD_LETTER, partition, at.timestamp() + 2_000_000, at.key(), bytes);
    return log.records(LogTopic.DEAD_LETTER, partition).stream()
        .filter(it -> it.offset() == offset)
        .findFirst()
        .orElseThrow();
  }

  private Finding of(Invariant invariant) {
    return TamperedLog.of(check(List.of(), Duration.ZERO), invariant);
  }

  private List<Finding> check(List<Instant> faults, Duration recovery) {
    VerifyOptions verifyOptions =
        new VerifyOptions(true, Duration.ZERO, MEMORY, 3, faults, recovery, null);
    return new Auditor(log, played.texts(), verifyOptions).check();
  }
}
