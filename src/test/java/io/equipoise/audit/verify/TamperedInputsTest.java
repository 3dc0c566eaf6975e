package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.TestKeys;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Breaks on purpose what decisions and segment events rest on: the attributes and mediators sent.
 */
class TamperedInputsTest extends TamperedLog {
  private static final String OTHER_FEATURES = "its features differ from those of the context";

  @Test
  void aContextWithOtherAttributesThanItsDecisionRestsOnIsNamed() {
    Decision decision = decided(20);
    for (Map<String, Object> person : List.of(person(decision, 1, 0), person(decision, 0, 1))) {
      LogRecord at = contextOf(log, decision);
      replaceAttributes(log, decision, person);
      List<Finding> findings = check();
      assertNames(findings, Invariant.I1, name(decision), OTHER_FEATURES);
      assertClean(findings, Invariant.I2, Invariant.I3, Invariant.I4, Invariant.I5, Invariant.I7);
      log.replace(contextOf(log, decision), at.value());
    }
    replaceAttributes(log, decision, Map.of("S", "a", "X", "sideways"));
    assertNames(check(), Invariant.I1, name(decision), OTHER_FEATURES);
  }

  /** The person that a decision is about, with the other level of one attribute. */
  private static Map<String, Object> person(Decision decision, int flipS, int flipX) {
    int s = decision.features().get(0).intValue() ^ flipS;
    int x = decision.features().get(1).intValue() ^ flipX;
    return Map.of("S", s == 0 ? "a" : "b", "X", x == 0 ? "low" : "high");
  }

  private static LogRecord contextOf(MemoryLog log, Decision decision) {
    return log.first(
        LogTopic.CONTEXTS,
        at ->
            at.slice().partition() == decision.source().partition()
                && at.offset() == decision.source().offset());
  }

  private static void replaceAttributes(
      MemoryLog log, Decision decision, Map<String, Object> person) {
    LogRecord at = contextOf(log, decision);
    WireContext context = Wire.CONTEXT.decode(at.value());
    log.replace(at, Wire.CONTEXT.encode(Tamper.with(context, "attributes", person)));
  }

  @Test
  void aDecisionThatTellsCandidatesWhichItsContextDidNotBringIsNamed() {
    Decision decision = decision(d -> d.segment().equals("s2") && d.features() != null);
    List<List<Double>> arms = List.of(List.of(0.0), List.of(1.0));
    Decision wrong = Tamper.with(decision, "candidateFeatures", arms);
    log.replace(at(decision), Wire.DECISION.encode(wrong));
    assertNames(check(), Invariant.I1, name(decision), OTHER_FEATURES);
  }

  @Test
  void withoutTheKeyWhatIsNotHiddenIsCompared() {
    for (SensitiveValues sensitiveValues :
        List.of(SensitiveValues.PSEUDONYMIZE, SensitiveValues.REDACT)) {
      PlayedDeployment hiding =
          new PlayedDeployment(7, STEPS, sensitiveValues, TestKeys.of(1)).ended();
      assertEquals(Verdict.OK, answers(hiding, KeyRing.none()).verdict());
      Decision decision = decided(20);
      replaceAttributes(hiding.log, decision, person(decision, 1, 0));
      assertEquals(Verdict.OK, answers(hiding, KeyRing.none()).verdict());
      boolean isKept = sensitiveValues == SensitiveValues.PSEUDONYMIZE;
      assertEquals(
          isKept ? Verdict.VIOLATED : Verdict.OK,
          answers(hiding, KeyRing.of(TestKeys.of(1))).verdict());
      replaceAttributes(hiding.log, decision, person(decision, 0, 1));
      Finding finding = answers(hiding, KeyRing.none());
      assertNames(List.of(finding), Invariant.I1, name(decision), OTHER_FEATURES);
    }
  }

  private static Finding answers(PlayedDeployment played, KeyRing keys) {
    VerifyOptions verifyOptions = AuditorTest.PLAIN;
    Auditor auditor =
        new Auditor(played.log, played.texts(), verifyOptions, StartState.NOTHING, keys);
    return of(auditor.check(), Invariant.I1);
  }

  @Test
  void aRewardWithOtherMediatorsThanWereLearnedIsNamed() {
    assertMediatorsAreChecked(it -> sent(it) instanceof String);
    assertMediatorsAreChecked(it -> sent(it) instanceof Double);
  }

  private void assertMediatorsAreChecked(Predicate<SegmentEvent> what) {
    SegmentEvent applied =
        segmentEvent(
            o ->
                o.type() == SegmentEventType.REWARD_APPLIED
                    && !o.mediators().isEmpty()
                    && what.test(o));
    LogRecord at = rewardOf(applied);
    String key = "decision_id " + applied.decisionId();
    for (Map<String, Object> other : List.<Map<String, Object>>of(Map.of("M", "0"), Map.of())) {
      replaceMediators(applied, other);
      assertNames(check(), Invariant.I2, key, "its mediators are not those of the reward");
    }
    replaceMediators(applied, Map.of("M", 1L, "unknown", "to the spec"));
    assertEquals(Verdict.OK, of(check(), Invariant.I2).verdict());
    log.replace(rewardOf(applied), at.value());
    LogRecord outcome = at(applied);
    log.replace(
        outcome, Wire.SEGMENT_EVENT.encode(Tamper.with(applied, "mediators", Map.of("M", "0"))));
    assertNames(check(), Invariant.I2, key, "its mediators are not those of the reward");
    log.replace(
        log.records(LogTopic.SEGMENT_EVENTS, outcome.slice().partition()).stream()
            .filter(it -> it.offset() == outcome.offset())
            .findFirst()
            .orElseThrow(),
        outcome.value());
  }

  private Object sent(SegmentEvent applied) {
    return Wire.REWARD.decode(rewardOf(applied).value()).mediators().get("M");
  }

  private LogRecord rewardOf(SegmentEvent applied) {
    return log.first(
        LogTopic.REWARDS,
        at ->
            at.slice().partition() == applied.source().partition()
                && at.offset() == applied.source().offset());
  }

  private void replaceMediators(SegmentEvent applied, Map<String, Object> mediators) {
    LogRecord at = rewardOf(applied);
    WireReward reward = Wire.REWARD.decode(at.value());
    log.replace(at, Wire.REWARD.encode(Tamper.with(reward, "mediators", mediators)));
  }
}
