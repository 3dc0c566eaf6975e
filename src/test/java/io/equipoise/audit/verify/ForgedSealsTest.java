package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Hidden;
import io.equipoise.event.Outcome;
import io.equipoise.event.Wire;
import io.equipoise.join.disclosure.Discloser;
import io.equipoise.join.disclosure.Disclosure;
import io.equipoise.join.disclosure.DisclosureKey;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Changes what is hidden, or what stands beside it. */
class ForgedSealsTest extends HiddenLogFixture {
  @Test
  void sealedValuesThatWereChangedAreAViolationNotAWantOfKeys() {
    LogRecord at = token.log.first(LogTopic.DECISIONS, it -> hiddenOf(it) != null);
    Decision decision = Wire.DECISION.decode(Payloads.value(at));
    Hidden hidden = Objects.requireNonNull(decision.hidden());
    byte[] sealed = Objects.requireNonNull(hidden.sealed()).clone();
    sealed[sealed.length - 1] ^= 1;
    token.log.replace(
        at, Wire.DECISION.encode(with(decision, new Hidden(hidden.mode(), keyId(), sealed))));
    assertForged();
  }

  @Test
  void sealedValuesOfAnotherDecisionAreAViolation() {
    LogRecord at = token.log.first(LogTopic.DECISIONS, it -> hiddenOf(it) != null);
    Decision one = Wire.DECISION.decode(Payloads.value(at));
    LogRecord next =
        token.log.first(
            LogTopic.DECISIONS, it -> hiddenOf(it) != null && it.offset() > at.offset());
    token.log.replace(at, Wire.DECISION.encode(with(one, hiddenOf(next))));
    assertForged();
  }

  @Test
  void sealedValuesOfAnOutcomeThatWereChangedAreAViolation() {
    LogRecord at =
        token.log.first(
            LogTopic.OUTCOMES, it -> Wire.OUTCOME.decode(Payloads.value(it)).hidden() != null);
    Outcome outcome = Wire.OUTCOME.decode(Payloads.value(at));
    Hidden hidden = Objects.requireNonNull(outcome.hidden());
    byte[] sealed = Objects.requireNonNull(hidden.sealed()).clone();
    sealed[sealed.length - 1] ^= 1;
    token.log.replace(
        at,
        Wire.OUTCOME.encode(
            outcome.with(outcome.features(), new Hidden(hidden.mode(), keyId(), sealed))));
    assertForged();
  }

  /** Tokens are held against those of the replay, so that no report tells what they stand for. */
  @Test
  void aFairnessRecordThatWasChangedIsFoundUnderItsTokens() {
    LogRecord at =
        token.log.first(
            LogTopic.AUDIT, it -> Wire.AUDIT.decode(Payloads.value(it)).factual() != null);
    FairnessAudit told = Wire.AUDIT.decode(Payloads.value(at));
    Hidden hidden = Objects.requireNonNull(told.hidden());
    byte[] sealed = Objects.requireNonNull(hidden.sealed()).clone();
    sealed[sealed.length - 1] ^= 1;
    Hidden forged = new Hidden(hidden.mode(), keyId(), sealed);
    AuditVerdict verdict =
        told.verdict() == AuditVerdict.FAIR ? AuditVerdict.UNFAIR : AuditVerdict.FAIR;
    for (FairnessAudit wrong :
        List.of(
            Tamper.with(told, "verdict", verdict),
            Tamper.with(told, "factual", told.counterfactual()),
            Tamper.with(told, "foregoneReward", 0.5),
            Tamper.with(told, "hidden", forged))) {
      token.log.replace(placed(at), Wire.AUDIT.encode(wrong));
      assertNamedByToken(told, ": the log says ");
    }
    Hidden unnamed = new Hidden(hidden.mode(), null, sealed);
    token.log.replace(placed(at), Wire.AUDIT.encode(Tamper.with(told, "hidden", unnamed)));
    assertNamedByToken(told, "name no key");
    token.log.remove(placed(at));
    Finding finding = TamperedLog.of(judge(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(
        "segment %s, seq %d, attribute S".formatted(told.segment(), told.seq()),
        finding.offender());
  }

  private LogRecord placed(LogRecord at) {
    return token.log.first(
        LogTopic.AUDIT,
        it -> it.offset() == at.offset() && it.slice().partition() == at.slice().partition());
  }

  private void assertNamedByToken(FairnessAudit told, String why) {
    Finding finding = TamperedLog.of(judge(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(
        "segment %s, seq %d, attribute S, counterfactual %s"
            .formatted(told.segment(), told.seq(), told.counterfactual()),
        finding.offender());
    assertTrue(String.valueOf(finding.why()).contains(why), finding.toString());
  }

  /** The report of a deployment that hides must not tell what the key was needed for. */
  @Test
  void featuresThatAreNotThoseOfTheDecisionAreNamedWithoutTheirValues() {
    LogRecord at =
        plain.log.first(
            LogTopic.OUTCOMES, it -> Wire.OUTCOME.decode(Payloads.value(it)).features() != null);
    Outcome outcome = Wire.OUTCOME.decode(Payloads.value(at));
    Outcome wrong = Tamper.with(outcome, "features", List.of(7.0, 7.0));
    Discloser discloser =
        new Discloser(
            Disclosure.TOKEN,
            DisclosureKey.read(file),
            1,
            hash -> Objects.requireNonNull(plain.byHash(hash)).spec());
    LogRecord hidden =
        token.log.first(
            LogTopic.OUTCOMES,
            it -> it.offset() == at.offset() && it.slice().partition() == at.slice().partition());
    token.log.replace(hidden, Wire.OUTCOME.encode(discloser.of(wrong)));
    Finding finding = TamperedLog.of(judge(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(
        "features at seq %d of segment %s: the replay says something else"
            .formatted(outcome.seq(), outcome.segment()),
        finding.why());
  }

  private void assertForged() {
    Finding finding = TamperedLog.of(judge(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(String.valueOf(finding.why()).contains("not what was written"), finding.toString());
  }

  @Test
  void anArmThatWasChangedBesideSealedValuesIsFound() {
    LogRecord at = token.log.first(LogTopic.DECISIONS, it -> hiddenOf(it) != null);
    Decision decision = Wire.DECISION.decode(Payloads.value(at));
    String other =
        decision.candidates().stream().filter(it -> !it.equals(decision.arm())).findAny().get();
    token.log.replace(at, Wire.DECISION.encode(Tamper.with(decision, "arm", other)));
    Finding finding = TamperedLog.of(judge(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(String.valueOf(finding.why()).startsWith("arm at seq"), finding.toString());
  }

  @Test
  void aLetterOfOtherBytesIsFoundUnderItsSealAndAChangedSealToo() {
    LogRecord at = records(token, LogTopic.DEAD_LETTER).get(0);
    DeadLetter letter = Wire.DEAD_LETTER.decode(Payloads.value(at));
    Hidden hidden = Objects.requireNonNull(letter.hidden());
    byte[] sealed = Objects.requireNonNull(hidden.sealed()).clone();
    sealed[20] ^= 1;
    DeadLetter forged =
        letter.with(letter.message(), null, null, new Hidden(hidden.mode(), keyId(), sealed));
    assertTrue(
        assertThrows(SealedException.class, () -> new Revealer(keys(file)).reveal(forged))
            .isForged());
    token.log.replace(at, Wire.DEAD_LETTER.encode(forged));
    assertEquals(
        Verdict.VIOLATED, TamperedLog.of(judge(token, keys(file)), Invariant.I7).verdict());
  }

  private static @Nullable Hidden hiddenOf(LogRecord at) {
    return Wire.DECISION.decode(Payloads.value(at)).hidden();
  }

  private static Decision with(Decision decision, @Nullable Hidden hidden) {
    return decision.with(decision.features(), null, null, null, null, hidden);
  }
}
