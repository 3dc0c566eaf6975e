package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The decisions on repeated contexts of an exactly-once log. */
class RepeatedDecisionsTest extends TamperedLog {
  private final Decision repeated = decision(d -> d.isRepeated() && d.arm() != null);
  private final LogRecord at = at(repeated);

  @Test
  void aLogWithRepeatsIsClean() {
    for (Finding finding : check().subList(0, 7)) {
      assertEquals(Verdict.OK, finding.verdict(), finding.toString());
    }
    assertTrue(of(check(), Invariant.I1).checked() > 0);
  }

  @Test
  void aRepeatWithoutADecisionIsNamed() {
    log.remove(at);
    assertNames(check(), Invariant.I1, name(repeated), "it has no decision");
  }

  @Test
  void anotherArmThanTheFirstDecisionsIsNamed() {
    replace("arm", repeated.arm().equals("A=left") ? "A=right" : "A=left");
    List<Finding> findings = check();
    assertNames(findings, Invariant.I1, name(repeated), "the first decision has arm");
    assertClean(findings, Invariant.I2, Invariant.I3, Invariant.I4, Invariant.I6, Invariant.I7);
  }

  @Test
  void aRepeatThatIsAnsweredTwiceIsNamed() {
    log.doubled(at);
    assertNames(check(), Invariant.I1, name(repeated), "has an earlier decision");
  }

  @Test
  void aRepeatedDecisionOnAContextThatWasNotRepeatedIsNamed() {
    Decision first = decision(d -> d.decisionId().equals(repeated.decisionId()) && d.isChosen());
    replace("source.offset", first.source().offset());
    assertNames(check(), Invariant.I1, name(repeated));
  }

  @Test
  void aRepeatedDecisionOfAnIdThatHasNoFirstOneIsNamed() {
    replace("decisionId", "nobody's");
    List<Finding> findings = check();
    assertNames(findings, Invariant.I1, "decision_id nobody's", "does not match the context");
    assertTrue(of(findings, Invariant.I1).violations() > 1, findings.toString());
  }

  @Test
  void anyOtherFieldThatDoesNotFollowIsNamed() {
    String key = "segment %s, seq 0".formatted(repeated.segment());
    for (String field : List.of("policy", "specHash", "modelFingerprint", "errorCode")) {
      replace(field, "ab".repeat(16));
      assertNames(check(), Invariant.I4, key, "has other fields than its context and its arm give");
      put(repeated);
    }
    replace("propensities.values", List.of(0.5));
    assertNames(check(), Invariant.I4, key, "has other fields than its context and its arm give");
  }

  @Test
  void aRepeatedDecisionWithASeqIsNamed() {
    Decision last =
        decision(d -> d.segment().equals(repeated.segment()) && d.seq() > 10 && d.isChosen());
    log.replace(at(last), Wire.DECISION.encode(Tamper.with(repeated, "seq", last.seq())));
    String key = "segment %s, seq %d".formatted(repeated.segment(), last.seq());
    assertNames(check(), Invariant.I3, key, "REPEATED, which takes no seq");
  }

  @Test
  void aRepeatedDecisionNeedsADeadLetterThatSaysSo() {
    DeadLetter letter = deadLetter(l -> l.source().equals(repeated.source()));
    LogRecord place = at(letter);
    DeadLetter other = Tamper.with(letter, "code", ErrorCode.EVENT_TIME_IN_FUTURE.name());
    log.replace(place, Wire.DEAD_LETTER.encode(other));
    assertNames(check(), Invariant.I7, name(repeated), "its dead letter has another code");
    log.records(LogTopic.DEAD_LETTER, place.slice().partition())
        .removeIf(it -> it.offset() == place.offset());
    assertNames(check(), Invariant.I7, name(repeated), "has no dead letter");
  }

  private void replace(String field, Object value) {
    put(Tamper.with(repeated, field, value));
  }

  private void put(Decision decision) {
    List<LogRecord> in = log.records(LogTopic.DECISIONS, at.slice().partition());
    LogRecord there = in.stream().filter(it -> it.offset() == at.offset()).findFirst().get();
    log.replace(there, Wire.DECISION.encode(decision));
  }
}
