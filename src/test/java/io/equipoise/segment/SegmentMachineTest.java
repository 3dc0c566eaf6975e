package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.Account;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.log.RepeatedContext;
import io.equipoise.segment.log.SegmentWithoutSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentMachineTest {
  private static final String LONG =
      "{reward-window: 400d, early-reward-timeout: 400d, dedup-window: 400d}";

  private static final String RANGE = "{range: [0, 1]}";

  @Test
  void aContextIsAnsweredAndAudited() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    Decision decision = scenario.log.decisions.get(0);
    assertEquals("A=left", decision.arm());
    assertEquals(2, decision.seq(), "the spec's adoption is seq 1");
    assertEquals(List.of(), decision.candidates(), "the arms of the spec");
    assertEquals(List.of("A=left", "A=right"), scenario.log.segmentEvents.get(0).adoption().arms());
    assertEquals(1, scenario.log.audits.size());
    assertEquals("b", scenario.log.audits.get(0).effect().counterfactual());
    assertEquals(2, scenario.log.audits.get(0).seq());
    assertEquals(List.of(SegmentEventType.SPEC_ADOPTED), scenario.segmentEventTypes());
    scenario.assertBalanced(1, 0);
  }

  @Test
  void aRewardWithinItsWindowIsAppliedAtOnce() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0).reward("d1", 60, 0.5);
    SegmentEvent applied = scenario.log.segmentEvents.get(1);
    assertEquals(SegmentEventType.REWARD_APPLIED, applied.type());
    assertEquals(3, applied.seq());
    assertEquals(2L, applied.decisionSeq());
    assertEquals(0.5, applied.learnedReward());
    assertEquals(1, scenario.count(Account.DECISION_SETTLED));
    scenario.assertBalanced(1, 1);
  }

  @Test
  void aRewardBeforeItsContextIsAppliedWhenTheContextArrives() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).reward("d1", 1, 0.5);
    assertEquals(1, scenario.count(Account.REWARD_HELD_EARLY));
    scenario.context("d1", 0);
    assertEquals(
        List.of(SegmentEventType.SPEC_ADOPTED, SegmentEventType.REWARD_APPLIED),
        scenario.segmentEventTypes());
    assertEquals(0, scenario.count(Account.REWARD_HELD_EARLY));
    scenario.assertBalanced(1, 1);
    scenario.passTo(1000).assertNothingLeft();
  }

  @Test
  void aRewardWithoutAContextIsAnOrphanAfterTheEarlyHorizon() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).reward("d1", 0, 0.5);
    scenario.passTo(29.9);
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.passTo(32);
    assertEquals(List.of("ORPHAN"), scenario.deadLetterCodes());
    scenario.assertBalanced(0, 1);
    scenario.assertNothingLeft();
  }

  @Test
  void aRewardPastTheWindowIsLateByItsOwnTimeWhateverTheWatermark() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0).reward("d1", 60.001, 0.5);
    assertEquals(List.of("LATE_REWARD"), scenario.deadLetterCodes());
    scenario.reward("d1", 60, 0.5);
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(1, 2);
  }

  /** A loan is repaid within a year or so. */
  @Test
  void aWindowOfFourHundredDaysTakesARewardOnItsLastDayAndExpiresBehindIt() {
    double days = 86_400;
    String spec = TestSpecs.ucb(LONG, "{range: [0, 1]}");
    Scenario scenario = Scenario.under(spec).context("d1", 0).context("d2", 0).context("d3", 0);
    scenario.passTo(399 * days).reward("d1", 400 * days, 0.5);
    scenario.reward("d2", 400 * days + 0.001, 0.5);
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    assertEquals(List.of("LATE_REWARD"), scenario.deadLetterCodes());
    assertEquals(0, scenario.count(Account.DECISION_TIMED_OUT));
    scenario.passTo(407 * days); // due ids are collected for up to 6.25 days
    assertEquals(2, scenario.count(Account.DECISION_TIMED_OUT));
    scenario.assertBalanced(3, 2);
    scenario.passTo(820 * days).assertNothingLeft();
  }

  @Test
  void decisionsOfAYearNeedSomeTimersAndNotOneEach() {
    Scenario scenario = Scenario.under(TestSpecs.ucb(LONG, "{range: [0, 1]}"));
    int decisions = 4_000;
    for (int i = 0; i < decisions; i++) {
      scenario.context("d" + i, i * 8_640.);
    }
    assertEquals(decisions, scenario.head().pending);
    int timers = scenario.state.timerCount();
    assertTrue(timers <= 514, "a window of 400 days in 512 steps: " + timers);
    scenario.passTo(1_300 * 86_400.).assertNothingLeft();
  }

  @Test
  void aRewardAfterTheLoggedExpiryIsLateWhateverItsTime() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0).passTo(62);
    assertEquals(
        List.of(SegmentEventType.SPEC_ADOPTED, SegmentEventType.REWARD_TIMEOUT),
        scenario.segmentEventTypes());
    scenario.reward("d1", 1, 0.5);
    assertEquals(List.of("DECISION_CLOSED"), scenario.deadLetterCodes());
    assertEquals(1, scenario.count(Account.DECISION_TIMED_OUT));
    scenario.assertBalanced(1, 1);
    scenario.passTo(200).assertNothingLeft();
  }

  @Test
  void theSameRewardTwiceIsADuplicateAndAnotherOneAConflict() {
    Scenario scenario =
        Scenario.under(TestSpecs.ucb())
            .context("d1", 0)
            .reward("d1", 1, 0.5)
            .reward("d1", 1, 0.5)
            .reward("d1", 1, 0.6);
    assertEquals(List.of("DUPLICATE_REWARD", "CONFLICTING_REWARD"), scenario.deadLetterCodes());
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(1, 3);
  }

  @Test
  void repetitionsAreKnownWhileARewardIsHeldEarly() {
    Scenario scenario =
        Scenario.under(TestSpecs.ucb())
            .reward("d1", 1, 0.5)
            .reward("d1", 1, 0.5)
            .reward("d1", 2, 0.5)
            .context("d1", 0);
    assertEquals(List.of("DUPLICATE_REWARD", "CONFLICTING_REWARD"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 3);
  }

  @Test
  void aRepeatedContextGetsTheArmFirstGivenOutsideSeq() {
    Scenario scenario =
        Scenario.under(TestSpecs.ucb())
            .context("d1", 0)
            .context("d1", 0)
            .context("d1", 0, Map.of("S", "b", "X", "low"))
            .reward("d1", 1, 0.5)
            .context("d1", 0);
    assertEquals(
        List.of("DUPLICATE_CONTEXT", "CONFLICTING_CONTEXT", "DUPLICATE_CONTEXT"),
        scenario.deadLetterCodes());
    assertRepeats(scenario, 3);
    Decision equal = scenario.log.decisions.get(1);
    Decision conflicting = scenario.log.decisions.get(2);
    assertEquals(equal, Tamper.with(conflicting, "source.offset", equal.source().offset()));
    scenario.assertBalanced(4, 1);
    scenario.passTo(62).context("d1", 0).assertBalanced(5, 1);
    assertRepeats(scenario, 4);
    scenario.passTo(200).assertNothingLeft();
  }

  /** Checks that all decisions but the first are REPEATED, of the contexts behind the first. */
  private static void assertRepeats(Scenario scenario, int count) {
    List<Decision> all = scenario.log.decisions;
    assertEquals(1 + count, all.size());
    Decision first = all.get(0);
    for (Decision again : all.subList(1, all.size())) {
      assertTrue(again.isRepeated() && RepeatedContext.isDecision(again), again.toString());
      assertFalse(again.isChosen());
      assertEquals(first.decisionId(), again.decisionId());
      assertEquals(first.arm(), again.arm());
      assertEquals(0, again.seq());
      assertEquals(List.of(), again.candidates());
      assertEquals(List.of(), again.propensities().values());
      assertNull(again.errorCode());
      assertNull(again.specHash());
      assertTrue(again.source().offset() > first.source().offset());
    }
  }

  @Test
  void aRepeatedRejectedContextGetsTheFallbackArmOfThenOrNone() {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s";
    Map<String, Object> bad = Map.of("S", "a", "X", "sideways");
    Scenario with = Scenario.under(TestSpecs.ucb(join + ", fallback: \"A=right\"}", RANGE));
    with.context("d1", 0, bad).context("d1", 0).context("d1", 0, bad);
    assertEquals("A=right", with.log.decisions.get(0).arm());
    assertRepeats(with, 2);
    with.context("d2", 1).assertBalanced(4, 0);
    Scenario without = Scenario.under(TestSpecs.ucb(join + "}", RANGE));
    without.context("d1", 0, bad).context("d1", 0);
    assertNull(without.log.decisions.get(0).arm());
    assertRepeats(without, 1);
    without.assertBalanced(2, 0);
  }

  /** Rewards that were collected may say that another arm was shown. */
  @Test
  void aRepeatedContextGetsTheArmOfTheDecisionWhateverWasShown() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: sum}";
    Scenario scenario = Scenario.under(TestSpecs.ucb(join, RANGE)).context("d1", 0);
    String other = "A=left".equals(scenario.log.decisions.get(0).arm()) ? "A=right" : "A=left";
    scenario.reward(
        new RewardEvent(
            "d1",
            "r1",
            Scenario.SEGMENT,
            Scenario.millis(1),
            0.5,
            Map.of(),
            other,
            scenario.origin("rewards", 1),
            new byte[0]));
    assertEquals(1, scenario.count(Account.REWARD_BUFFERED));
    scenario.context("d1", 0).passTo(62).context("d1", 0);
    assertRepeats(scenario, 2);
    scenario.assertBalanced(3, 1);
  }

  @Test
  void anUnknownLevelIsRejectedWithTheFallbackArmAndDeadLettered() {
    Scenario scenario =
        Scenario.under(
                TestSpecs.ucb(
                    "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback:"
                        + " \"A=right\"}",
                    "{range: [0, 1]}"))
            .context("d1", 0, Map.of("S", "a", "X", "sideways"));
    Decision decision = scenario.log.decisions.get(0);
    assertEquals(DecisionReason.REJECTED, decision.reason());
    assertEquals("A=right", decision.arm());
    assertEquals("UNKNOWN_LEVEL", decision.errorCode());
    assertArrayEquals(
        "d1".getBytes(StandardCharsets.UTF_8), scenario.log.deadLetters.get(0).input().value());
    scenario.reward("d1", 1, 0.5);
    assertEquals(List.of("UNKNOWN_LEVEL", "DECISION_NOT_LEARNABLE"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
    scenario.passTo(200).assertNothingLeft();
  }

  @Test
  void aSegmentWithoutASpecIsRefusedWithoutState() {
    Scenario scenario = new Scenario().context("d1", 0).reward("d1", 1, 0.5).context("d1", 0);
    Decision refused = scenario.log.decisions.get(0);
    assertEquals(DecisionReason.REJECTED, refused.reason());
    assertEquals("UNKNOWN_SEGMENT", refused.errorCode());
    assertNull(refused.arm());
    assertEquals(0, refused.seq());
    assertTrue(SegmentWithoutSpec.isAnswer(refused));
    assertEquals(
        List.of("UNKNOWN_SEGMENT", "UNKNOWN_SEGMENT", "UNKNOWN_SEGMENT"),
        scenario.deadLetterCodes());
    assertNull(scenario.state.head());
    assertEquals(0, scenario.state.entryCount());
    assertEquals(0, scenario.state.timerCount());
    assertEquals(2, scenario.log.decisions.size(), "a repetition is refused again");
    scenario.book.publish(TestSpecs.ucb());
    scenario.context("d1", 2).reward("d1", 3, 0.5);
    assertEquals(DecisionReason.EXPLOIT, scenario.log.decisions.get(2).reason());
    assertEquals(2, scenario.log.decisions.get(2).seq(), "the spec's adoption is the first change");
    scenario.assertBalanced(1, 1);
  }

  @Test
  void aContextPastItsDeadlineIsStaleAndNotLearned() {
    Scenario scenario = Scenario.under(TestSpecs.ucb());
    scenario.context(
        new ContextEvent(
            "d1",
            Scenario.SEGMENT,
            Scenario.millis(-10),
            Map.of("S", "a", "X", "low"),
            null,
            Scenario.millis(-1),
            scenario.origin("contexts", 0),
            new byte[0]));
    assertEquals(DecisionReason.DEADLINE_EXCEEDED, scenario.log.decisions.get(0).reason());
    scenario.reward("d1", 1, 0.5);
    assertEquals(List.of("DECISION_NOT_LEARNABLE"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
  }

  @Test
  void aContextWithCandidatesOfItsOwnIsRejected() {
    Scenario scenario = Scenario.under(TestSpecs.ucb());
    scenario.context(
        new ContextEvent(
            "d1",
            Scenario.SEGMENT,
            Scenario.millis(0),
            Map.of("S", "a", "X", "low"),
            List.of(new CandidateArm("A=left", Map.of())),
            null,
            scenario.origin("contexts", 0),
            new byte[0]));
    assertEquals(List.of("CANDIDATES_UNSUPPORTED"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 0);
  }

  @Test
  void aContextFromTheFutureIsRejectedAndForgottenInTime() {
    Scenario scenario = Scenario.under(TestSpecs.ucb());
    scenario.context(
        new ContextEvent(
            "d1",
            Scenario.SEGMENT,
            Scenario.millis(1e9),
            Map.of("S", "a", "X", "low"),
            null,
            null,
            scenario.origin("contexts", 0),
            new byte[0],
            new InputFault(ErrorCode.EVENT_TIME_IN_FUTURE, "too far ahead"),
            null));
    assertEquals(DecisionReason.REJECTED, scenario.log.decisions.get(0).reason());
    scenario.passTo(200).assertNothingLeft();
    scenario.assertBalanced(1, 0);
  }

  @Test
  void aRewardOutsideTheDeclaredRangeIsInvalidAndTheDecisionGoesOnWaiting() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0).reward("d1", 1, 1.5);
    assertEquals(List.of("REWARD_OUT_OF_RANGE"), scenario.deadLetterCodes());
    scenario.reward("d1", 2, 1.0);
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(1, 2);
  }

  @Test
  void aRewardWithoutTheMediatorOfTheCellsIsInvalid() {
    Scenario scenario =
        Scenario.under(TestSpecs.dUcb())
            .context("d1", 0)
            .reward("d1", 1, 0.5)
            .reward("d1", null, 1, 0.5, Map.of("M", "7"))
            .reward("d1", null, 1, 0.5, Map.of("M", "1"));
    assertEquals(List.of("MISSING_MEDIATOR", "UNKNOWN_LEVEL"), scenario.deadLetterCodes());
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(1, 3);
  }

  @Test
  void theArmReallyShownIsTheOneThatIsLearned() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    scenario.reward(shown(scenario, "A=right"));
    assertEquals("A=right", scenario.log.segmentEvents.get(1).arm());
    scenario.context("d2", 1);
    assertEquals("A=left", scenario.log.decisions.get(1).arm(), "left was never observed");
    scenario.assertBalanced(2, 1);
  }

  @Test
  void anArmThatTheSpecDoesNotHaveCannotHaveBeenShown() {
    Scenario scenario = Scenario.under(TestSpecs.ucb()).context("d1", 0);
    scenario.reward(shown(scenario, "A=up"));
    assertEquals(List.of("UNKNOWN_ARM"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
  }

  private static RewardEvent shown(Scenario scenario, String arm) {
    return new RewardEvent(
        "d1",
        null,
        Scenario.SEGMENT,
        Scenario.millis(1),
        0.5,
        Map.of(),
        arm,
        scenario.origin("rewards", 1),
        new byte[0]);
  }
}
