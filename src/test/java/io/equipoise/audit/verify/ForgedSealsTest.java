package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Redaction;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.Unredactor;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changes what is hidden, or what stands beside it. */
@Tag("slow")
class ForgedSealsTest extends HiddenLogFixture {
  @Test
  void sealedValuesThatWereChangedAreAViolationNotAWantOfKeys() {
    LogRecord at = token.log.first(LogTopic.DECISIONS, it -> hiddenOf(it) != null);
    Decision decision = Wire.DECISION.decode(Payloads.value(at));
    Redaction redaction = Objects.requireNonNull(decision.redaction());
    byte[] sealed = Objects.requireNonNull(redaction.ciphertext()).clone();
    sealed[sealed.length - 1] ^= 1;
    token.log.replace(
        at, Wire.DECISION.encode(with(decision, new Redaction(redaction.mode(), keyId(), sealed))));
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
  void sealedValuesOfASegmentEventThatWereChangedAreAViolation() {
    LogRecord at =
        token.log.first(
            LogTopic.SEGMENT_EVENTS,
            it -> Wire.SEGMENT_EVENT.decode(Payloads.value(it)).redaction() != null);
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(Payloads.value(at));
    Redaction redaction = Objects.requireNonNull(segmentEvent.redaction());
    byte[] sealed = Objects.requireNonNull(redaction.ciphertext()).clone();
    sealed[sealed.length - 1] ^= 1;
    token.log.replace(
        at,
        Wire.SEGMENT_EVENT.encode(
            segmentEvent.with(
                segmentEvent.features(), new Redaction(redaction.mode(), keyId(), sealed))));
    assertForged();
  }

  /** Tokens are held against those of the replay, so that no report tells what they stand for. */
  @Test
  void aFairnessRecordThatWasChangedIsFoundUnderItsTokens() {
    LogRecord at =
        token.log.first(
            LogTopic.AUDIT, it -> Wire.AUDIT.decode(Payloads.value(it)).effect().factual() != null);
    FairnessAudit told = Wire.AUDIT.decode(Payloads.value(at));
    Redaction redaction = Objects.requireNonNull(told.redaction());
    byte[] sealed = Objects.requireNonNull(redaction.ciphertext()).clone();
    sealed[sealed.length - 1] ^= 1;
    Redaction forged = new Redaction(redaction.mode(), keyId(), sealed);
    AuditVerdict verdict =
        told.verdict() == AuditVerdict.FAIR ? AuditVerdict.UNFAIR : AuditVerdict.FAIR;
    for (FairnessAudit wrong :
        List.of(
            Tamper.with(told, "verdict", verdict),
            Tamper.with(told, "effect.factual", told.effect().counterfactual()),
            Tamper.with(
                told, "excluded", new ExcludedCandidate("A=left", 0.5, null, null, null, null)),
            Tamper.with(told, "redaction", forged))) {
      token.log.replace(placed(at), Wire.AUDIT.encode(wrong));
      assertNamedByToken(told, ": the log has ");
    }
    Redaction unnamed = new Redaction(redaction.mode(), null, sealed);
    token.log.replace(placed(at), Wire.AUDIT.encode(Tamper.with(told, "redaction", unnamed)));
    assertNamedByToken(told, "name no key");
    token.log.remove(placed(at));
    Finding finding = TamperedLog.of(check(token, keys(file)), Invariant.I3);
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
    Finding finding = TamperedLog.of(check(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(
        "segment %s, seq %d, attribute S, counterfactual %s"
            .formatted(told.segment(), told.seq(), told.effect().counterfactual()),
        finding.offender());
    assertTrue(String.valueOf(finding.why()).contains(why), finding.toString());
  }

  /** The report of a deployment that hides must not tell what the key was needed for. */
  @Test
  void featuresThatAreNotThoseOfTheDecisionAreNamedWithoutTheirValues() {
    LogRecord at =
        plain.log.first(
            LogTopic.SEGMENT_EVENTS,
            it -> Wire.SEGMENT_EVENT.decode(Payloads.value(it)).features() != null);
    SegmentEvent segmentEvent = Wire.SEGMENT_EVENT.decode(Payloads.value(at));
    SegmentEvent wrong = Tamper.with(segmentEvent, "features", List.of(7.0, 7.0));
    Redactor redactor =
        new Redactor(
            SensitiveValues.PSEUDONYMIZE,
            RedactionKey.read(file),
            1,
            hash -> Objects.requireNonNull(plain.byHash(hash)).spec());
    LogRecord hidden =
        token.log.first(
            LogTopic.SEGMENT_EVENTS,
            it -> it.offset() == at.offset() && it.slice().partition() == at.slice().partition());
    token.log.replace(hidden, Wire.SEGMENT_EVENT.encode(redactor.of(wrong)));
    Finding finding = TamperedLog.of(check(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertEquals(
        "decision.features at seq %d of segment %s: the replay says something else"
            .formatted(segmentEvent.seq(), segmentEvent.segment()),
        finding.why());
  }

  private void assertForged() {
    Finding finding = TamperedLog.of(check(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(
        String.valueOf(finding.why()).contains("its encrypted values were changed"),
        finding.toString());
  }

  @Test
  void anArmThatWasChangedBesideSealedValuesIsFound() {
    LogRecord at = token.log.first(LogTopic.DECISIONS, it -> hiddenOf(it) != null);
    Decision decision = Wire.DECISION.decode(Payloads.value(at));
    String other = decision.arm().equals("A=left") ? "A=right" : "A=left";
    token.log.replace(at, Wire.DECISION.encode(Tamper.with(decision, "arm", other)));
    Finding finding = TamperedLog.of(check(token, keys(file)), Invariant.I3);
    assertEquals(Verdict.VIOLATED, finding.verdict());
    assertTrue(String.valueOf(finding.why()).startsWith("arm at seq"), finding.toString());
  }

  @Test
  void aLetterOfOtherBytesIsFoundUnderItsSealAndAChangedSealToo() {
    LogRecord at = records(token, LogTopic.DEAD_LETTER).get(0);
    DeadLetter letter = Wire.DEAD_LETTER.decode(Payloads.value(at));
    Redaction redaction = Objects.requireNonNull(letter.redaction());
    byte[] sealed = Objects.requireNonNull(redaction.ciphertext()).clone();
    sealed[20] ^= 1;
    DeadLetter forged =
        Tamper.with(letter, "redaction", new Redaction(redaction.mode(), keyId(), sealed));
    assertTrue(
        assertThrows(CiphertextException.class, () -> new Unredactor(keys(file)).reveal(forged))
            .isForged());
    token.log.replace(at, Wire.DEAD_LETTER.encode(forged));
    assertEquals(
        Verdict.VIOLATED, TamperedLog.of(check(token, keys(file)), Invariant.I7).verdict());
  }

  private static @Nullable Redaction hiddenOf(LogRecord at) {
    return Wire.DECISION.decode(Payloads.value(at)).redaction();
  }

  private static Decision with(Decision decision, @Nullable Redaction redaction) {
    return decision.with(decision.features(), null, decision.sample(), redaction);
  }
}
