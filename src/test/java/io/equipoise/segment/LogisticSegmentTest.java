package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.StateBlock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A segment under logistic policies: what its records say, and what outlasts a change of spec. */
class LogisticSegmentTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";

  private static String spec(String policy, int number, String join) {
    return TestSpecs.text(policy, number, join, "{range: [0, 1]}", "reject");
  }

  private static Scenario decided(Scenario scenario, int from, int until) {
    for (int i = from; i < until; i++) {
      scenario.context("d" + i, i, Map.of("S", i % 2 == 0 ? "a" : "b", "X", "low"));
      scenario.reward("d" + i, i + 0.5, i % 3 == 0 ? 1 : 0);
    }
    return scenario;
  }

  private static List<SegmentEvent> adoptions(Scenario scenario) {
    return scenario.log.segmentEvents.stream()
        .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.SPEC_ADOPTED)
        .toList();
  }

  @Test
  void aRewardOtherThanNoughtAndOneIsADeadLetterAndTheDecisionGoesOnWaiting() {
    Scenario scenario =
        Scenario.under(spec("screen", 1, JOIN)).context("d1", 0).reward("d1", 1, 0.25);
    assertEquals(List.of("REWARD_OUT_OF_RANGE"), scenario.deadLetterCodes());
    String message = scenario.log.deadLetters.get(0).message();
    assertTrue(message.contains("screen learns from rewards of 0 and 1 only"), message);
    scenario.reward("d1", 2, 1);
    assertEquals(1, scenario.count(Account.REWARD_APPLIED));
    scenario.assertBalanced(1, 2);
  }

  @Test
  void severalRewardsThatSumUpToNeitherAreClosedNotLearnable() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: sum}";
    for (double each : new double[] {1, 0.25}) {
      Scenario scenario = Scenario.under(spec("dual-upper", 1, join)).context("d1", 0);
      scenario
          .reward("d1", "r1", 1, each, Map.of())
          .reward("d1", "r2", 2, each, Map.of())
          .passTo(100);
      assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
      assertEquals("REWARD_OUT_OF_RANGE", scenario.log.segmentEvents.get(3).reason());
      scenario.assertBalanced(1, 2);
    }
  }

  @Test
  void auditsCarryTheDualVariableAndWhatTheyAreWorth() {
    Scenario scenario =
        decided(Scenario.under(spec("dual-upper, dual: {schedule: anytime}", 1, JOIN)), 0, 10);
    List<FairnessAudit> audits = scenario.log.audits;
    assertEquals(10, audits.size());
    assertEquals(0.0, audits.get(0).dual());
    assertTrue(Objects.requireNonNull(audits.get(9).dual()) > 0);
    audits.forEach(audit -> assertEquals(AuditGuarantee.APPROXIMATE, audit.guarantee()));
    scenario.book.publish(spec("ofulog", 2, JOIN));
    scenario.context("e1", 20);
    assertNull(scenario.log.audits.get(10).dual(), "ofulog has none");
    scenario.assertBalanced(11, 10);
  }

  @Test
  void anotherPolicyKeepsTheModelAndStartsTheDualVariablesAnew() {
    Scenario scenario = decided(Scenario.under(spec("dual-upper", 1, JOIN)), 0, 10);
    byte[] model = bytes(scenario, 0);
    scenario.book.publish(spec("forced-exploration, epsilon: 0.05", 2, JOIN));
    scenario.context("e1", 20);
    assertEquals(List.of("policy-state"), adoptions(scenario).get(1).stateReset());
    assertEquals(List.of(), scenario.deadLetterCodes());
    assertArrayEquals(model, bytes(scenario, 0));
    scenario.assertBalanced(11, 10);
  }

  @Test
  void aPolicysMemoryDoesNotOutliveTheLastWordOfItsSpec() {
    for (String policy : List.of("dual-upper", "linucb, constraint: dual-upper")) {
      Scenario scenario = decided(Scenario.under(spec(policy, 1, JOIN)), 0, 10);
      scenario.book.retire();
      scenario.book.publish(spec(policy, 2, JOIN));
      scenario.context("e1", 20);
      assertEquals(List.of("policy-state"), adoptions(scenario).get(1).stateReset(), policy);
      scenario.book.publish(spec(policy, 1, JOIN)); // the replay knows both
      scenario.assertBalanced(11, 10);
    }
  }

  /**
   * A screen prices nothing here, so a threshold that moves by a hair moves nothing: what starts
   * anew is the price, and not the count of decisions by which the slack shrinks.
   */
  @ParameterizedTest
  @ValueSource(strings = {"screen", "linucb, constraint: screen", "ucb, constraint: screen"})
  void theSlackGoesOnShrinkingUnderAnotherThreshold(String policy) {
    Scenario same = decided(Scenario.under(spec(policy, 1, JOIN)), 0, 100);
    Scenario changed = decided(Scenario.under(spec(policy, 1, JOIN)), 0, 100);
    changed.book.publish(spec(policy, 2, JOIN).replace("tau: 0.2", "tau: 0.2000001"));
    decided(same, 100, 130);
    decided(changed, 100, 130);
    assertEquals(List.of("policy-state"), adoptions(changed).get(1).stateReset());
    for (int i = 100; i < 130; i++) {
      Decision here = same.log.decisions.get(i);
      Decision there = changed.log.decisions.get(i);
      assertEquals(here.fairSetSize(), there.fairSetSize(), "decision " + i);
      assertEquals(here.arm(), there.arm(), "decision " + i);
    }
    changed.assertBalanced(130, 130);
  }

  /** The design counts what was decided, and knows no threshold. */
  @Test
  void theDesignOfGlmUcbGoesOnUnderAnotherThreshold() {
    Scenario same = decided(Scenario.under(spec("glm-ucb", 1, JOIN)), 0, 30);
    Scenario changed = decided(Scenario.under(spec("glm-ucb", 1, JOIN)), 0, 20);
    changed.book.publish(spec("glm-ucb", 2, JOIN).replace("tau: 0.2", "tau: 0.3"));
    decided(changed, 20, 30);
    assertEquals(List.of(), adoptions(changed).get(1).stateReset());
    assertArrayEquals(bytes(same, 1), bytes(changed, 1));
    changed.assertBalanced(30, 30);
  }

  /**
   * A price and what it was paid for mean the same however fast it moves and what slack there is.
   */
  @ParameterizedTest
  @CsvSource({
    "'dual-upper', 'dual-upper, dual: {schedule: anytime}'",
    "'dual-upper', 'dual-upper, dual: {cap: 50}'",
    "'dual-upper', 'dual-upper, radius: {scale: 0.5}'",
    "'forced-exploration', 'forced-exploration, slack: 0.1'"
  })
  void aPriceOutlivesAChangeOfWhatItDoesNotDependOn(String before, String after) {
    Scenario scenario = decided(Scenario.under(spec(before, 1, JOIN)), 0, 20);
    FairnessAudit last = scenario.log.audits.get(19);
    scenario.book.publish(spec(after, 2, JOIN));
    decided(scenario, 20, 21);
    assertEquals(List.of(), adoptions(scenario).get(1).stateReset());
    FairnessAudit next = scenario.log.audits.get(20);
    if (before.equals("dual-upper")) {
      assertTrue(Objects.requireNonNull(next.dual()) > Objects.requireNonNull(last.dual()));
    }
    scenario.assertBalanced(21, 21);
  }

  @Test
  void aPriceIsCutToASmallerCap() {
    Scenario scenario = decided(Scenario.under(spec("dual-upper", 1, JOIN)), 0, 20);
    assertTrue(Objects.requireNonNull(scenario.log.audits.get(19).dual()) > 0.1);
    scenario.book.publish(spec("dual-upper, dual: {cap: 0.1}", 2, JOIN));
    scenario.context("e1", 20);
    assertEquals(List.of(), adoptions(scenario).get(1).stateReset());
    assertEquals(0.1, scenario.log.audits.get(20).dual());
    scenario.assertBalanced(21, 20);
  }

  private static byte[] bytes(Scenario scenario, long key) {
    StateBlock stateBlock = Objects.requireNonNull(scenario.state.blocks().get(key));
    return stateBlock.toBytes();
  }
}
