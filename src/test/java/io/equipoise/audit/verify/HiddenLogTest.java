package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Redaction;
import io.equipoise.event.RedactionMode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.Unredactor;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What logs tell that hide, and how they are checked with and without the key. */
@Tag("slow")
class HiddenLogTest extends HiddenLogFixture {
  private static void assertUnchecked(
      List<Finding> findings, Set<Invariant> unchecked, String because) {
    for (Finding finding : findings.subList(0, 7)) {
      boolean isChecked = !unchecked.contains(finding.invariant());
      assertEquals(
          isChecked ? Verdict.OK : Verdict.NOT_CHECKED, finding.verdict(), finding.toString());
      if (!isChecked) {
        assertTrue(String.valueOf(finding.why()).contains(because), finding.toString());
      }
    }
  }

  @Test
  void withTheKeyAllIsCheckedAsOfAPlainLog() {
    List<Finding> findings = check(token, keys(file));
    assertEquals(check(plain, KeyRing.none()).toString(), findings.toString());
    assertUnchecked(findings, EnumSet.noneOf(Invariant.class), "");
    assertUnchecked(check(token, keys(otherFile, file)), EnumSet.noneOf(Invariant.class), "");
  }

  @Test
  void withoutTheKeyReplaysAndBytesCannotBeCheckedAndAllElseCan() {
    assertUnchecked(
        check(token, KeyRing.none()),
        EnumSet.of(Invariant.I3, Invariant.I5, Invariant.I7),
        "; give --key FILE");
  }

  @Test
  void anotherKeyIsNamedBesideTheOneThatIsNeeded() {
    String needed = RedactionKey.read(file).id();
    String given = RedactionKey.read(otherFile).id();
    assertUnchecked(
        check(token, keys(otherFile)),
        EnumSet.of(Invariant.I3, Invariant.I5, Invariant.I7),
        "encrypted with key " + needed + ", but the given key is " + given);
  }

  @Test
  void whatWasDroppedCannotBeReplayedWithAnyKeyButDeadLettersOpen() {
    assertUnchecked(
        check(drop, keys(file)), EnumSet.of(Invariant.I3, Invariant.I5), "were removed");
  }

  @Test
  void aHiddenSnapshotWithOtherGroupsIsNamed() {
    LogRecord last = records(token, LogTopic.METRICS).get(30);
    SegmentMetrics told = Wire.METRICS.decode(Payloads.value(last));
    SegmentMetrics wrong =
        told.with(told.groups().with(told.groups().means().subList(1, 2), null, 0));
    token.log.replace(last, Wire.METRICS.encode(wrong));
    TamperedLog.assertNames(
        check(token, keys(file)),
        Invariant.I3,
        Change.key(told.segment(), told.seq()),
        "of the snapshot, groups.means: the log has [");
  }

  /** The message of a dead letter is not kept: a revealed one follows from the typed fields. */
  @Test
  void revealedRecordsAreThePlainOnesBitForBit() {
    Unredactor unredactor = new Unredactor(keys(file));
    assertRevealed(LogTopic.DECISIONS, Wire.DECISION, it -> it, unredactor::reveal);
    assertRevealed(LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT, it -> it, unredactor::reveal);
    assertRevealed(LogTopic.AUDIT, Wire.AUDIT, it -> it, unredactor::reveal);
    assertRevealed(LogTopic.EXPERIMENTS, Wire.EXPERIMENT, it -> it, unredactor::reveal);
    assertRevealed(
        LogTopic.DEAD_LETTER, Wire.DEAD_LETTER, DeadLetter::withPlainMessage, unredactor::reveal);
    assertRevealed(LogTopic.METRICS, Wire.METRICS, it -> it, unredactor::reveal);
  }

  private <T extends Record> void assertRevealed(
      LogTopic topic, Wire<T> wire, UnaryOperator<T> expected, UnaryOperator<T> reveal) {
    List<LogRecord> before = records(plain, topic);
    List<LogRecord> after = records(token, topic);
    assertEquals(before.size(), after.size());
    int least = topic == LogTopic.EXPERIMENTS ? 2 : 21;
    assertTrue(before.size() >= least, topic + " has " + before.size());
    for (int i = 0; i < before.size(); i++) {
      T revealed = reveal.apply(wire.decode(Payloads.value(after.get(i))));
      T wanted = expected.apply(wire.decode(Payloads.value(before.get(i))));
      assertArrayEquals(wire.encode(wanted), wire.encode(revealed), revealed.toString());
    }
  }

  @Test
  void aReplayWritesTheSameBytes() {
    PlayedDeployment again = played(SensitiveValues.PSEUDONYMIZE);
    for (LogTopic topic : LogTopic.values()) {
      List<LogRecord> one = records(token, topic);
      List<LogRecord> other = records(again, topic);
      for (int i = 0; i < one.size(); i++) {
        assertArrayEquals(one.get(i).value(), other.get(i).value(), one.get(i).place());
      }
    }
  }

  @Test
  void theSameArmsAreChosenWhateverIsHidden() {
    List<Decision> told = all(plain, LogTopic.DECISIONS, Wire.DECISION);
    for (PlayedDeployment hiding : List.of(token, drop)) {
      List<Decision> hidden = all(hiding, LogTopic.DECISIONS, Wire.DECISION);
      for (int i = 0; i < told.size(); i++) {
        assertEquals(told.get(i).decisionId(), hidden.get(i).decisionId());
        assertEquals(told.get(i).arm(), hidden.get(i).arm());
        assertEquals(told.get(i).propensities(), hidden.get(i).propensities());
      }
    }
  }

  @Test
  void decisionsKeepNothingThatTellsTheGroup() {
    for (PlayedDeployment hiding : List.of(token, drop)) {
      for (Decision decision : all(hiding, LogTopic.DECISIONS, Wire.DECISION)) {
        List<Double> features = decision.features();
        if (features != null) {
          assertHidden(decision.redaction(), hiding == token);
          assertEquals(-1, features.get(0)); // S
          assertTrue(features.get(1) >= 0, "X stays");
          assertNull(decision.index());
          assertNull(decision.mean());
          assertNull(decision.width());
          assertNull(decision.sample() == null ? null : decision.sample().type());
        }
      }
    }
  }

  @Test
  void segmentEventsKeepNothingThatTellsTheGroup() {
    for (PlayedDeployment hiding : List.of(token, drop)) {
      for (SegmentEvent segmentEvent : all(hiding, LogTopic.SEGMENT_EVENTS, Wire.SEGMENT_EVENT)) {
        List<Double> features = segmentEvent.features();
        if (features != null) {
          assertHidden(segmentEvent.redaction(), hiding == token);
          assertEquals(-1, features.get(0));
          boolean isOfThisSpec =
              segmentEvent.reason() == null
                  && segmentEvent.type() != SegmentEventType.DECISION_EVICTED;
          assertEquals(isOfThisSpec, features.get(1) >= 0);
        }
      }
    }
  }

  /** With a digest and the rest of the log one could try both groups of each person. */
  @Test
  void snapshotsKeepNoDigestToTryGroupsWith() {
    for (PlayedDeployment hiding : List.of(token, drop)) {
      for (SegmentMetrics snapshot : all(hiding, LogTopic.METRICS, Wire.METRICS)) {
        assertNull(snapshot.digests());
        assertHidden(snapshot.redaction(), hiding == token);
      }
      for (ExperimentRecord record : all(hiding, LogTopic.EXPERIMENTS, Wire.EXPERIMENT)) {
        assertEquals("", record.phase() == null ? "" : record.phase().statsHash());
      }
    }
  }

  private static void assertHidden(@Nullable Redaction redaction, boolean isSealed) {
    assertNotNull(redaction);
    assertEquals(isSealed ? RedactionMode.PSEUDONYMIZE : RedactionMode.REDACT, redaction.mode());
    assertEquals(isSealed, redaction.ciphertext() != null);
  }

  @Test
  void tokensStandForLevelsOneToOneSoThatOneMayGroupByThem() {
    Map<String, String> byToken = new HashMap<>();
    List<FairnessAudit> told = all(plain, LogTopic.AUDIT, Wire.AUDIT);
    List<FairnessAudit> hidden = all(token, LogTopic.AUDIT, Wire.AUDIT);
    for (int i = 0; i < told.size(); i++) {
      AuditedEffect before = told.get(i).effect();
      AuditedEffect after = hidden.get(i).effect();
      assertStandsFor(byToken, before.factual(), after.factual());
      assertStandsFor(byToken, before.counterfactual(), after.counterfactual());
      assertEquals(before.estimate(), after.estimate());
    }
    assertEquals(Set.of("a", "b"), Set.copyOf(byToken.values()));
    assertEquals(2, byToken.size());
  }

  private static void assertStandsFor(
      Map<String, String> byToken, @Nullable String level, @Nullable String token) {
    assertTrue(String.valueOf(token).matches("t-[0-9a-f]{16}"), token);
    String before = byToken.put(String.valueOf(token), String.valueOf(level));
    assertTrue(before == null || before.equals(level), token + " is " + before + " and " + level);
  }

  /** The groups of a phase stand in the order of the spec: tokens there would open all others. */
  @Test
  void phasesHaveNoTokenThatTheOrderOfTheirGroupsWouldOpen() {
    for (PlayedDeployment hiding : List.of(token, drop)) {
      int phases = 0;
      for (ExperimentRecord record : all(hiding, LogTopic.EXPERIMENTS, Wire.EXPERIMENT)) {
        phases++;
        assertNotNull(record.design());
        assertEquals(List.of("dropped", "dropped"), record.design().groups());
      }
      assertTrue(phases > 0);
    }
  }

  @Test
  void droppedAuditsTellVerdictsAndNoNumberOfAPerson() {
    for (FairnessAudit audit : all(drop, LogTopic.AUDIT, Wire.AUDIT)) {
      assertNotNull(audit.verdict());
      assertNull(audit.effect().factual());
      assertNull(audit.effect().counterfactual());
      assertNull(audit.effect().estimate());
      assertNull(audit.effect().lower());
      assertNull(audit.effect().upper());
      assertNull(audit.cumulativeViolation());
    }
  }

  @Test
  void deadLettersTellTheirCodeAndNothingThatWasSent() {
    for (PlayedDeployment hiding : List.of(token, drop)) {
      for (DeadLetter letter : all(hiding, LogTopic.DEAD_LETTER, Wire.DEAD_LETTER)) {
        assertNull(letter.input().key());
        assertNull(letter.input().value());
        assertEquals(List.of(), letter.variables());
        assertTrue(letter.message().startsWith(DeadLetter.plainMessage(letter.code(), List.of())));
        assertTrue(letter.message().endsWith("are encrypted with key " + keyId() + "."));
      }
    }
  }
}
