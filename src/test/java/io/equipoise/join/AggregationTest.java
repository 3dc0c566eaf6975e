package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.join.Ledgers.Account;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several rewards for a decision, and none. */
class AggregationTest {

  @Test
  void rewardsAreSummedUntilTheWindowCloses() {
    Scenario scenario =
        Scenario.under(aggregating("sum"))
            .context("d1", 0)
            .reward("d1", "r1", 1, -0.5, Map.of())
            .reward("d1", "r2", 2, 0.25, Map.of())
            .reward("d1", "r1", 1, -0.5, Map.of())
            .passTo(62);
    assertEquals(
        List.of(
            OutcomeKind.SPEC_ADOPTED,
            OutcomeKind.COLLECTED,
            OutcomeKind.COLLECTED,
            OutcomeKind.WINDOW_CLOSED),
        scenario.outcomeKinds());
    assertEquals(-0.25, scenario.log.outcomes.get(3).learnedReward());
    assertEquals(List.of("DUPLICATE"), scenario.deadLetterCodes());
    scenario.reward("d1", "r2", 2, 0.25, Map.of()).reward("d1", "r3", 3, 0.1, Map.of());
    assertEquals(List.of("DUPLICATE", "DUPLICATE", "LATE"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 5);
  }

  @Test
  void aggregatesAreRightForNegativeRewards() {
    assertEquals(-0.7, aggregate("min"));
    assertEquals(-0.1, aggregate("max"));
    assertEquals(-0.4, aggregate("last"));
    assertEquals((-0.7 + -0.1 + -0.4) / 3, aggregate("mean"), 1e-15);
  }

  @Test
  void aSumOutsideTheRangeIsNotLearntAndTheOutcomeSaysWhy() {
    for (double each : new double[] {0.75, -0.75}) {
      Scenario scenario = twoRewards("[-1, 1]", each, each);
      Outcome closed = scenario.log.outcomes.get(3);
      assertEquals(OutcomeKind.WINDOW_CLOSED, closed.kind());
      assertNull(closed.learnedReward());
      assertFalse(closed.learned());
      assertEquals("REWARD_OUT_OF_RANGE", closed.detail());
      assertEquals(1, scenario.count(Account.DECISION_CLOSED_UNLEARNT));
      assertEquals(2, scenario.count(Account.REWARD_COLLECTED));
      scenario.reward("d1", "r3", 3, 0.1, Map.of());
      assertEquals(List.of("UNLEARNT"), scenario.deadLetterCodes());
      scenario.assertBalanced(1, 3);
    }
  }

  @Test
  void anAggregateThatLeavesTheRangeByRoundingOnlyIsItsEnd() {
    assertEquals(0.3, learnt(twoRewards("[0, 0.3]", 0.1, 0.2)));
    assertEquals(-0.3, learnt(twoRewards("[-0.3, 1]", -0.1, -0.2)));
    assertNull(learnt(twoRewards("[0, 0.3]", 0.1, 0.2 + 1e-8)));
  }

  @Test
  void anAggregatedRewardNeedsAnIdentity() {
    Scenario scenario = Scenario.under(aggregating("sum")).context("d1", 0).reward("d1", 1, 0.5);
    assertEquals(List.of("MISSING_REWARD_ID"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
  }

  @Test
  void aDefaultRewardIsLearntOnExpiryOnlyIfTheDecisionMayBeAssumedShown() {
    String reward = "{range: [0, 1], default: {value: 0.25}}";
    Scenario assumed =
        Scenario.under(TestSpecs.ucb("{window: 60s, early: 30s, dedup: 60s}", reward))
            .context("d1", 0)
            .passTo(62);
    assertEquals(0.25, assumed.log.outcomes.get(1).learnedReward());
    Scenario confirmed =
        Scenario.under(
                TestSpecs.ucb("{window: 60s, early: 30s, dedup: 60s, shown: confirmed}", reward))
            .context("d1", 0)
            .passTo(62);
    assertNull(confirmed.log.outcomes.get(1).learnedReward());
    assumed.assertBalanced(1, 0);
    confirmed.assertBalanced(1, 0);
  }

  @Test
  void theOnlyRewardMayWaitForItsWindow() {
    String join = "{window: 60s, early: 30s, dedup: 60s, release: window-close}";
    Scenario scenario =
        Scenario.under(TestSpecs.ucb(join, "{range: [0, 1]}"))
            .context("d1", 0)
            .context("d2", 0)
            .reward("d1", 1, 0.5);
    assertEquals(1, scenario.count(Account.REWARD_COLLECTED));
    assertEquals(2, scenario.count(Account.DECISION_AWAITING));
    scenario.reward("d1", 1, 0.5).reward("d1", 2, 0.75).reward("d2", 61, 1).passTo(62);
    assertEquals(List.of("DUPLICATE", "CONFLICT", "LATE"), scenario.deadLetterCodes());
    assertEquals(
        List.of(
            OutcomeKind.SPEC_ADOPTED,
            OutcomeKind.COLLECTED,
            OutcomeKind.WINDOW_CLOSED,
            OutcomeKind.EXPIRED),
        scenario.outcomeKinds());
    assertEquals(0.5, scenario.log.outcomes.get(2).learnedReward());
    scenario.reward("d1", 1, 0.5).reward("d1", 3, 1);
    assertEquals(
        List.of("DUPLICATE", "CONFLICT", "LATE", "DUPLICATE", "CONFLICT"),
        scenario.deadLetterCodes());
    scenario.assertBalanced(2, 6);
    scenario.log.replay(new Oracle(scenario.book, new TestPriors()));
  }

  @Test
  void aRewardThatCannotBeLearntIsRefusedAtOnceThoughItWouldWait() {
    String join = "{window: 60s, early: 30s, dedup: 60s, release: window-close}";
    Scenario scenario =
        Scenario.under(TestSpecs.text("d-ucb", 1, join, "{range: [0, 1]}", "refuse"))
            .context("d1", 0)
            .reward("d1", 1, 0.5);
    assertEquals(List.of("MISSING_MEDIATOR"), scenario.deadLetterCodes());
    scenario.reward("d1", "r1", 2, 0.25, Map.of("M", "1")).passTo(62);
    assertEquals(1, scenario.count(Account.DECISION_SETTLED));
    scenario.assertBalanced(1, 2);
  }

  private static Scenario twoRewards(String range, double first, double second) {
    String join = "{window: 60s, early: 30s, dedup: 60s, aggregate: sum}";
    return Scenario.under(TestSpecs.ucb(join, "{range: " + range + "}"))
        .context("d1", 0)
        .reward("d1", "r1", 1, first, Map.of())
        .reward("d1", "r2", 2, second, Map.of())
        .passTo(62);
  }

  private static @Nullable Double learnt(Scenario scenario) {
    return scenario.log.outcomes.get(3).learnedReward();
  }

  private static double aggregate(String how) {
    Scenario scenario =
        Scenario.under(aggregating(how))
            .context("d1", 0)
            .reward("d1", "r1", 1, -0.7, Map.of())
            .reward("d1", "r2", 3, -0.4, Map.of())
            .reward("d1", "r3", 2, -0.1, Map.of())
            .passTo(62);
    scenario.assertBalanced(1, 3);
    Double learned = scenario.log.outcomes.get(4).learnedReward();
    return learned == null ? Double.NaN : learned;
  }

  private static String aggregating(String how) {
    return TestSpecs.ucb(
        "{window: 60s, early: 30s, dedup: 60s, aggregate: " + how + "}", "{range: [-1, 1]}");
  }
}
