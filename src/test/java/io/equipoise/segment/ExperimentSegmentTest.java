package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AbortReason;
import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A segment under a search for the best fair arm: what its records say, and what ends it. */
class ExperimentSegmentTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String UNIT = "{range: [0, 1]}";

  /** Six samples in phases of 3, 1, 1, 1 and 0. */
  private static final String SEARCH = "csr-v2, samples: 6, control: \"A=right\", budget: 1";

  private static String spec(String policy, int number) {
    return spec(policy, number, JOIN, "reject");
  }

  private static String spec(String policy, int number, String join, String onChange) {
    return TestSpecs.experiment(policy, number, join, UNIT, onChange);
  }

  private static Decision last(Scenario scenario) {
    return scenario.log.decisions.get(scenario.log.decisions.size() - 1);
  }

  private static List<TerminalAudit> ends(Scenario scenario) {
    return scenario.log.experiments.stream()
        .map(ExperimentRecord::terminal)
        .flatMap(Stream::ofNullable)
        .toList();
  }

  private static Scenario answered(Scenario scenario, int from, int until) {
    for (int i = from; i < until; i++) {
      scenario.context("d" + i, i, Map.of("S", i % 2 == 0 ? "a" : "b", "X", "low"));
      scenario.reward("d" + i, null, i + 0.5, 1, Map.of("M", "1"));
    }
    return scenario;
  }

  @Test
  void aPullSaysWhatItIsASampleOfAndHowLikelyEachArmWas() {
    Scenario scenario = Scenario.under(spec(SEARCH, 1));
    for (int i = 0; i < 3; i++) {
      Decision pull = last(scenario.context("d" + i, i));
      assertEquals(DecisionReason.SAMPLE, pull.reason());
      assertEquals(0, pull.sample().phase());
      assertEquals(0, pull.sample().type());
      List<Double> propensities = pull.propensitiesOf(List.of("A=left", "A=right"));
      assertEquals(1, propensities.stream().mapToDouble(p -> p).sum(), 1e-12);
      assertTrue(propensities.get("A=left".equals(pull.arm()) ? 0 : 1) > 0);
      assertNull(pull.index());
    }
    Decision hold = last(scenario.context("d3", 3));
    assertEquals(DecisionReason.NOT_SAMPLED, hold.reason());
    assertEquals("A=right", hold.arm());
    assertEquals(List.of(), hold.propensities().values());
    assertEquals(List.of(0.0, 1.0), hold.propensitiesOf(List.of("A=left", "A=right")));
    assertEquals(PropensityKind.DETERMINISTIC, hold.propensities().kind());
    assertNull(hold.sample());
    scenario.assertBalanced(4, 0);
  }

  @Test
  void theRewardOfAHoldIsNotLearnableAndThatOfAPullIsCountedOnceAtOnce() {
    Scenario scenario = Scenario.under(spec(SEARCH, 1));
    for (int i = 0; i < 4; i++) {
      scenario.context("d" + i, i);
    }
    scenario.reward("d3", null, 5, 1, Map.of("M", "1"));
    assertEquals(1, scenario.count(Account.REWARD_NOT_LEARNABLE));
    assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
    scenario.reward("d0", null, 5, 1, Map.of("M", "1"));
    scenario.reward("d0", null, 5, 1, Map.of("M", "1"));
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    assertEquals(List.of("DECISION_NOT_LEARNABLE", "DUPLICATE_REWARD"), scenario.deadLetterCodes());
    scenario.assertBalanced(4, 3);
  }

  @Test
  void whatCannotBeAnOutcomeIsADeadLetterAndThePullStaysOpen() {
    Scenario scenario = Scenario.under(spec(SEARCH, 1)).context("d0", 0);
    scenario.reward("d0", null, 1, 1.5, Map.of("M", "1"));
    scenario.reward("d0", null, 1, 1, Map.of());
    scenario.reward("d0", null, 1, 1, Map.of("M", "7"));
    assertEquals(
        List.of("REWARD_OUT_OF_RANGE", "MISSING_MEDIATOR", "UNKNOWN_LEVEL"),
        scenario.deadLetterCodes());
    String message = scenario.log.deadLetters.get(1).message();
    assertTrue(message.contains("the level of M, which the arm set"), message);
    assertEquals(1, scenario.count(Account.DECISION_AWAITING));
    scenario.assertBalanced(1, 3);
  }

  @Test
  void aPhaseClosesWhenItsLastPullIsAnsweredOrItsWindowHasClosed() {
    Scenario scenario = Scenario.under(spec(SEARCH, 1));
    for (int i = 0; i < 3; i++) {
      scenario.context("d" + i, i);
    }
    scenario.reward("d0", null, 5, 1, Map.of("M", "1")).reward("d1", null, 5, 0, Map.of("M", "0"));
    assertTrue(
        scenario.segmentEventTypes().stream().noneMatch(SegmentEventType.PHASE_CLOSED::equals));
    scenario.passTo(100);
    List<SegmentEvent> segmentEvents = scenario.log.segmentEvents;
    SegmentEvent closed = segmentEvents.get(segmentEvents.size() - 1);
    assertEquals(SegmentEventType.PHASE_CLOSED, closed.type());
    SegmentEvent expired = segmentEvents.get(segmentEvents.size() - 2);
    assertEquals(SegmentEventType.REWARD_TIMEOUT, expired.type());
    assertEquals(0.0, expired.learnedReward(), "who stays silent counts as 0");
    ExperimentRecord record = scenario.log.experiments.get(0);
    assertNull(record.terminal());
    assertEquals(closed.seq(), record.seq());
    assertEquals(List.of(3L), Objects.requireNonNull(record.phase()).counts().arrived());
    assertEquals("S", Objects.requireNonNull(record.design()).attribute());
    assertEquals(DecisionReason.SAMPLE, last(scenario.context("d9", 101)).reason());
    assertEquals(1, last(scenario).sample().phase());
    scenario.assertBalanced(4, 2);
  }

  @Test
  void aPullThatIsEvictedIsMissingAndThePhaseGoesOn() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, max-pending: 2}";
    Scenario scenario = Scenario.under(spec(SEARCH, 1, join, "reject"));
    for (int i = 0; i < 3; i++) {
      scenario.context("d" + i, i);
    }
    scenario.passTo(100);
    assertEquals(1, scenario.count(Account.DECISION_EVICTED));
    PhaseAudit phase = Objects.requireNonNull(scenario.log.experiments.get(0).phase());
    assertEquals(1, phase.counts().missing());
    assertEquals(List.of(2L), phase.counts().arrived());
    scenario.assertBalanced(3, 0);
  }

  @Test
  void whoeverIsNotKnownWellEnoughIsHeldAndTheGroupNeedNotBeTold() {
    String text =
        spec(SEARCH, 1).replace("levels: [low, high]}", "levels: [low, high], missing: level}");
    Scenario scenario = Scenario.under(text);
    assertEquals(
        DecisionReason.NOT_SAMPLED, last(scenario.context("d0", 0, Map.of("S", "a"))).reason());
    assertEquals(
        DecisionReason.SAMPLE, last(scenario.context("d1", 1, Map.of("X", "low"))).reason());
    scenario.assertBalanced(2, 0);
  }

  private static List<AbortReason> aborts(Scenario scenario, SegmentEventType kind) {
    return scenario.log.segmentEvents.stream()
        .filter(segmentEvent -> segmentEvent.type() == kind)
        .map(SegmentEvent::abortReason)
        .filter(Objects::nonNull)
        .toList();
  }

  @Test
  void anExperimentWhoseSpecIsRetiredIsAbortedOnceAndStaysSo() {
    Scenario scenario = answered(Scenario.under(spec(SEARCH, 1)), 0, 2).context("open", 2);
    scenario.book.retire();
    scenario.context("after", 3);
    TerminalAudit end = ends(scenario).get(0);
    assertEquals(TerminalKind.ABORTED, end.kind());
    assertEquals(AbortReason.SPEC_RETIRED, end.abortReason());
    assertEquals(
        List.of(AbortReason.SPEC_RETIRED), aborts(scenario, SegmentEventType.PHASE_CLOSED));
    assertEquals(3, end.samples());
    assertEquals(DecisionReason.REJECTED, last(scenario).reason());
    scenario.book.publish(spec(SEARCH, 1));
    scenario.reward("open", null, 4, 1, Map.of("M", "1"));
    assertEquals(List.of("UNKNOWN_SEGMENT", "MODEL_CHANGED"), scenario.deadLetterCodes());
    assertEquals(DecisionReason.RECOMMENDED, last(scenario.context("again", 5)).reason());
    assertEquals("A=right", last(scenario).arm());
    assertEquals(1, ends(scenario).size());
    scenario.passTo(200).assertBalanced(5, 3);
  }

  @Test
  void aSpecThatSaysAbortEndsTheExperiment() {
    Scenario scenario = answered(Scenario.under(spec(SEARCH, 1)), 0, 2);
    scenario.book.publish(spec(SEARCH + ", abort: too slow", 2));
    assertEquals(DecisionReason.RECOMMENDED, last(scenario.context("d5", 5)).reason());
    assertEquals(List.of(AbortReason.REQUESTED), aborts(scenario, SegmentEventType.SPEC_ADOPTED));
    assertEquals(AbortReason.REQUESTED, ends(scenario).get(0).abortReason());
    assertEquals("A=right", ends(scenario).get(0).arm());
    scenario.book.publish(spec(SEARCH, 3));
    assertEquals(DecisionReason.RECOMMENDED, last(scenario.context("d6", 6)).reason());
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(4, 2);
  }

  @Test
  void anotherExperimentNeedsOnChangeResetAndAbortsTheFirst() {
    for (String change :
        List.of("samples: 7", "budget: 0.9", "mode: separate", "estimate: direct")) {
      String key = change.substring(0, change.indexOf(':'));
      String other = SEARCH.replaceAll(key + ": [^,]*", change);
      other = other.equals(SEARCH) ? SEARCH + ", " + change : other;
      Scenario scenario = answered(Scenario.under(spec(SEARCH, 1)), 0, 2);
      scenario.book.publish(spec(other, 2));
      scenario.context("d5", 5);
      assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes(), change);
      assertEquals(0, ends(scenario).size());
      scenario.book.publish(spec(other, 3, JOIN, "reset"));
      assertTrue(last(scenario.context("d6", 6)).reason() != DecisionReason.RECOMMENDED, change);
      assertEquals(1, scenario.head().rounds, "decisions of the new experiment");
      assertEquals(TerminalKind.ABORTED, ends(scenario).get(0).kind());
      assertEquals(AbortReason.SPEC_REPLACED, ends(scenario).get(0).abortReason());
      assertEquals(
          List.of(AbortReason.SPEC_REPLACED), aborts(scenario, SegmentEventType.SPEC_ADOPTED));
      scenario.book.publish(spec(SEARCH, 1)).publish(spec(other, 3, JOIN, "reset"));
      scenario.assertBalanced(4, 2);
    }
  }

  @Test
  void anyPartOfAnExperimentIsInItsFingerprintAndNothingElse() {
    String sound = spec(SEARCH, 1);
    String own = TestSpecs.compiled(sound).policy().fingerprint();
    for (String same :
        List.of("every: 10", "version: 1", "dedup-window: 60s", "early-reward-timeout: 30s")) {
      String other =
          sound.replace(same, same.replace("0", "00").replace("version: 1", "version: 5"));
      other = other.replace("300s", "31s").replace("600s", "61s");
      assertEquals(own, TestSpecs.compiled(other).policy().fingerprint(), same);
    }
    for (String[] change :
        new String[][] {
          {"seed: 11", "seed: 12"},
          {"tau: 0.2", "tau: 0.21"},
          {"csr-v2", "csr-v1"},
          {"reward-window: 60s", "reward-window: 61s"},
          {"[left, low, 0.9, 0.1]", "[left, low, 0.8, 0.2]"},
          {"[[0.5, 0.5]]", "[[0.4, 0.6]]"},
          {"control: \"A=right\"", "control: \"A=left\""},
          {"budget: 1", "budget: 1, costs: {\"A=left\": 0.5}"},
          {"levels: [a, b]", "levels: [a, b], missing: reject"},
          {"arms: all", "arms: [{id: one, A: left}, {id: \"A=right\", A: right}]"},
        }) {
      String other = sound.replace(change[0], change[1]);
      assertTrue(!other.equals(sound), change[0]);
      assertTrue(!own.equals(TestSpecs.compiled(other).policy().fingerprint()), change[1]);
    }
  }
}
