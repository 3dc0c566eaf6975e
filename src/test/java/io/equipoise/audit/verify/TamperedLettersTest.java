package io.equipoise.audit.verify;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Breaks on purpose what a log says of inputs that could not be used. */
class TamperedLettersTest extends TamperedLog {
  @Test
  void aMissingDeadLetterOfBytesThatCannotBeReadIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNFRAMED"));
    log.remove(at(letter));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I7, place(letter), "has no dead letter");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I3, Invariant.I4);
  }

  @Test
  void aMissingDeadLetterOfARejectedContextIsNamed() {
    Decision rejected = decision(d -> d.reason() == DecisionReason.REJECTED);
    DeadLetter letter = deadLetter(l -> l.source().equals(rejected.source()));
    log.remove(at(letter));
    assertNames(check(), Invariant.I7, name(rejected), "has no dead letter");
  }

  @Test
  void aMissingDeadLetterOfARefusedRewardIsARewardLost() {
    DeadLetter letter =
        deadLetter(l -> l.code().equals("DECISION_CLOSED") || l.code().equals("DUPLICATE_REWARD"));
    log.remove(at(letter));
    List<Finding> findings = check();
    assertNames(
        findings, Invariant.I2, "decision_id " + letter.input().decisionId(), "neither applied");
  }

  @Test
  void aDeadLetterWithOtherBytesIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNFRAMED"));
    byte[] other = letter.input().value().clone();
    other[0] ^= 1;
    log.replace(at(letter), Wire.DEAD_LETTER.encode(Tamper.with(letter, "value", other)));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I7, place(letter), "contains other bytes");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I4);
  }

  @Test
  void aDeadLetterOfAnotherOriginIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNFRAMED"));
    LogRecord at = at(letter);
    log.replace(at, Wire.DEAD_LETTER.encode(Tamper.with(letter, "input.source.offset", 1L << 40)));
    assertNames(check(), Invariant.I7, at.place(), "is no offset of the log");
  }

  @Test
  void aDoubledDeadLetterIsNamed() {
    DeadLetter letter = deadLetter(l -> l.code().equals("UNFRAMED"));
    log.doubled(at(letter));
    List<Finding> findings = check();
    assertNames(findings, Invariant.I7, place(letter), "second dead letter");
    assertClean(findings, Invariant.I1, Invariant.I2, Invariant.I3, Invariant.I4, Invariant.I6);
  }

  @Test
  void aGoodContextInTheDeadLetterIsNamed() {
    Decision decision = decided(20);
    LogRecord context =
        log.first(
            LogTopic.CONTEXTS,
            r ->
                r.slice().partition() == decision.source().partition()
                    && r.offset() == decision.source().offset());
    DeadLetter letter = deadLetter(l -> l.code().equals("UNFRAMED"));
    DeadLetter wrong = Tamper.with(letter, "input.source", decision.source());
    wrong = Tamper.with(Tamper.with(wrong, "key", context.key()), "value", context.value());
    LogRecord at = at(letter);
    log.append(
        LogTopic.DEAD_LETTER,
        at.slice().partition(),
        at.timestamp(),
        at.key(),
        Wire.DEAD_LETTER.encode(wrong));
    assertNames(check(), Invariant.I7, name(decision), "it was accepted");
  }

  @Test
  void bytesThatAreNoRecordAreNamed() {
    Decision decision = decided(20);
    LogRecord at = at(decision);
    log.replace(at, Arrays.copyOf(at.value(), 20));
    assertNames(check(), Invariant.I4, at.place(), "cannot be read");
  }
}
