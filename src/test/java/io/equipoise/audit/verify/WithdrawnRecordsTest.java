package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AttemptMarker;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.Wire;
import io.equipoise.job.RestlessDeployment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a later attempt withdrew, in a log of at-least-once delivery. */
class WithdrawnRecordsTest {
  private static final long MEMORY = 64 << 20;

  private final RestlessDeployment played = new RestlessDeployment(3, 500);
  private final MemoryLog log = played.log;
  private final AttemptHistory history = AttemptHistory.read(log, MEMORY);

  /** Somebody saw it when it came, and it stays the answer whatever the job forgot. */
  @Test
  void anAnswerThatWasWithdrawnAndGivenAgainCameWhenItWasFirstSeen() {
    LogRecord answer = log.first(LogTopic.DECISIONS, this::isWithdrawnAnswer);
    Decision decision = Wire.DECISION.decode(answer.value());
    LogRecord context =
        log.records(LogTopic.CONTEXTS, decision.contextPartition()).stream()
            .filter(at -> at.offset() == decision.contextOffset())
            .findFirst()
            .orElseThrow();
    Instant fault = Instant.ofEpochMilli(context.timestamp() - 1);
    Duration took = Duration.ofMillis(answer.timestamp() - context.timestamp());
    Finding finding = TamperedLog.of(judge(List.of(fault), took), Invariant.I8);
    assertEquals(Verdict.OK, finding.verdict(), finding.toString());
  }

  private boolean isWithdrawnAnswer(LogRecord at) {
    if (AttemptMarker.isIn(at.value())) {
      return false;
    }
    Decision decision = Wire.DECISION.decode(at.value());
    return !decision.recovered()
        && history.isWithdrawn(decision.segment(), decision.attempt(), decision.seq());
  }

  @Test
  void aSegmentSaysWhenItRefusedARecord() {
    int told = 0;
    for (LogRecord at : log.records(LogTopic.DEAD_LETTER, 0)) {
      DeadLetter letter = Wire.DEAD_LETTER.decode(at.value());
      boolean isOfSegment = letter.segment() != null;
      assertEquals(isOfSegment, letter.attempt() != null && letter.attempt() > 0);
      assertEquals(isOfSegment, letter.seq() != null);
      told += isOfSegment ? 1 : 0;
    }
    assertTrue(told > 0);
  }

  /** The first attempt refuses a reward and dies; the next one has its decision and loses it. */
  @Test
  void aRewardThatOnlyAWithdrawnAttemptRefusedIsLost() {
    Outcome withdrawn =
        Wire.OUTCOME.decode(log.first(LogTopic.OUTCOMES, this::isWithdrawn).value());
    LogRecord applied =
        log.first(LogTopic.OUTCOMES, at -> isAppliedAndStays(at, withdrawn.segment()));
    Outcome lost = Wire.OUTCOME.decode(applied.value());
    log.remove(applied);
    LogRecord letter = refuse(applied, lost, withdrawn.attempt(), withdrawn.seq());
    assertEquals(Verdict.VIOLATED, of(Invariant.I2).verdict());
    log.remove(letter);
    refuse(applied, lost, withdrawn.attempt(), 0);
    assertEquals(Verdict.OK, of(Invariant.I2).verdict(), "that was before the last checkpoint");
  }

  private boolean isWithdrawn(LogRecord at) {
    Outcome outcome = Wire.OUTCOME.decode(at.value());
    return history.isWithdrawn(outcome.segment(), outcome.attempt(), outcome.seq());
  }

  private boolean isAppliedAndStays(LogRecord at, String segment) {
    Outcome outcome = Wire.OUTCOME.decode(at.value());
    boolean isApplied = outcome.kind() == OutcomeKind.APPLIED;
    return isApplied && outcome.segment().equals(segment) && !isWithdrawn(at);
  }

  /** Appends the letter of a reward that an outcome names. */
  private LogRecord refuse(LogRecord at, Outcome outcome, int attempt, long seq) {
    LogRecord reward =
        log.first(
            LogTopic.REWARDS,
            it ->
                Objects.equals(outcome.rewardPartition(), it.slice().partition())
                    && Objects.equals(outcome.rewardOffset(), it.offset()));
    DeadLetter letter =
        new DeadLetter(
            "LATE",
            "it lies past the reward window",
            reward.slice().name(),
            reward.slice().partition(),
            reward.offset(),
            reward.timestamp(),
            outcome.segment(),
            outcome.decisionId(),
            reward.key(),
            reward.value(),
            null,
            attempt,
            seq);
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
    return TamperedLog.of(judge(List.of(), Duration.ZERO), invariant);
  }

  private List<Finding> judge(List<Instant> faults, Duration recovery) {
    Question question = new Question(true, Duration.ZERO, MEMORY, 3, faults, recovery, null);
    return new Auditor(log, played.texts(), question).judge();
  }
}
