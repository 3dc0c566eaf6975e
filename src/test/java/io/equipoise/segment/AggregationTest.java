package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.event.Account;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.replay.ReplayOracle;
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
            SegmentEventType.SPEC_ADOPTED,
            SegmentEventType.REWARD_BUFFERED,
            SegmentEventType.REWARD_BUFFERED,
            SegmentEventType.WINDOW_CLOSED),
        scenario.segmentEventTypes());
    assertEquals(-0.25, scenario.log.segmentEvents.get(3).learnedReward());
    assertEquals(List.of("DUPLICATE_REWARD"), scenario.deadLetterCodes());
    scenario.reward("d1", "r2", 2, 0.25, Map.of()).reward("d1", "r3", 3, 0.1, Map.of());
    assertEquals(
        List.of("DUPLICATE_REWARD", "DUPLICATE_REWARD", "DECISION_CLOSED"),
        scenario.deadLetterCodes());
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
  void aSumOutsideTheRangeIsNotLearnedAndTheSegmentEventSaysWhy() {
    for (double each : new double[] {0.75, -0.75}) {
      Scenario scenario = twoRewards("[-1, 1]", each, each);
      SegmentEvent closed = scenario.log.segmentEvents.get(3);
      assertEquals(SegmentEventType.WINDOW_CLOSED, closed.type());
      assertNull(closed.learnedReward());
      assertFalse(closed.learned());
      assertEquals("REWARD_OUT_OF_RANGE", closed.reason());
      assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
      assertEquals(2, scenario.count(Account.REWARD_BUFFERED));
      scenario.reward("d1", "r3", 3, 0.1, Map.of());
      assertEquals(List.of("DECISION_NOT_LEARNABLE"), scenario.deadLetterCodes());
      scenario.assertBalanced(1, 3);
    }
  }

  @Test
  void anAggregateThatLeavesTheRangeByRoundingOnlyIsItsEnd() {
    assertEquals(0.3, learned(twoRewards("[0, 0.3]", 0.1, 0.2)));
    assertEquals(-0.3, learned(twoRewards("[-0.3, 1]", -0.1, -0.2)));
    assertNull(learned(twoRewards("[0, 0.3]", 0.1, 0.2 + 1e-8)));
  }

  @Test
  void anAggregatedRewardNeedsAnIdentity() {
    Scenario scenario = Scenario.under(aggregating("sum")).context("d1", 0).reward("d1", 1, 0.5);
    assertEquals(List.of("MISSING_REWARD_ID"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
  }

  @Test
  void aDefaultRewardIsLearnedOnExpiryOnlyIfTheDecisionMayBeAssumedShown() {
    String reward = "{range: [0, 1], default: {value: 0.25}}";
    Scenario assumed =
        Scenario.under(
                TestSpecs.ucb(
                    "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}", reward))
            .context("d1", 0)
            .passTo(62);
    assertEquals(0.25, assumed.log.segmentEvents.get(1).learnedReward());
    Scenario confirmed =
        Scenario.under(
                TestSpecs.ucb(
                    "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, shown:"
                        + " confirmed}",
                    reward))
            .context("d1", 0)
            .passTo(62);
    assertNull(confirmed.log.segmentEvents.get(1).learnedReward());
    assumed.assertBalanced(1, 0);
    confirmed.assertBalanced(1, 0);
  }

  @Test
  void theOnlyRewardMayWaitForItsWindow() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, learn:"
            + " on-window-close}";
    Scenario scenario =
        Scenario.under(TestSpecs.ucb(join, "{range: [0, 1]}"))
            .context("d1", 0)
            .context("d2", 0)
            .reward("d1", 1, 0.5);
    assertEquals(1, scenario.count(Account.REWARD_BUFFERED));
    assertEquals(2, scenario.count(Account.DECISION_AWAITING));
    scenario.reward("d1", 1, 0.5).reward("d1", 2, 0.75).reward("d2", 61, 1).passTo(62);
    assertEquals(
        List.of("DUPLICATE_REWARD", "CONFLICTING_REWARD", "LATE_REWARD"),
        scenario.deadLetterCodes());
    assertEquals(
        List.of(
            SegmentEventType.SPEC_ADOPTED,
            SegmentEventType.REWARD_BUFFERED,
            SegmentEventType.WINDOW_CLOSED,
            SegmentEventType.REWARD_TIMEOUT),
        scenario.segmentEventTypes());
    assertEquals(0.5, scenario.log.segmentEvents.get(2).learnedReward());
    scenario.reward("d1", 1, 0.5).reward("d1", 3, 1);
    assertEquals(
        List.of(
            "DUPLICATE_REWARD",
            "CONFLICTING_REWARD",
            "LATE_REWARD",
            "DUPLICATE_REWARD",
            "CONFLICTING_REWARD"),
        scenario.deadLetterCodes());
    scenario.assertBalanced(2, 6);
    scenario.log.replay(new ReplayOracle(scenario.book, new TestBounds()));
  }

  @Test
  void aRewardThatCannotBeLearnedIsRefusedAtOnceThoughItWouldWait() {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, learn:"
            + " on-window-close}";
    Scenario scenario =
        Scenario.under(TestSpecs.text("d-ucb", 1, join, "{range: [0, 1]}", "reject"))
            .context("d1", 0)
            .reward("d1", 1, 0.5);
    assertEquals(List.of("MISSING_MEDIATOR"), scenario.deadLetterCodes());
    scenario.reward("d1", "r1", 2, 0.25, Map.of("M", "1")).passTo(62);
    assertEquals(1, scenario.count(Account.DECISION_SETTLED));
    scenario.assertBalanced(1, 2);
  }

  private static Scenario twoRewards(String range, double first, double second) {
    String join =
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: sum}";
    return Scenario.under(TestSpecs.ucb(join, "{range: " + range + "}"))
        .context("d1", 0)
        .reward("d1", "r1", 1, first, Map.of())
        .reward("d1", "r2", 2, second, Map.of())
        .passTo(62);
  }

  private static @Nullable Double learned(Scenario scenario) {
    return scenario.log.segmentEvents.get(3).learnedReward();
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
    Double learned = scenario.log.segmentEvents.get(4).learnedReward();
    return learned == null ? Double.NaN : learned;
  }

  private static String aggregating(String how) {
    return TestSpecs.ucb(
        "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: "
            + how
            + "}",
        "{range: [-1, 1]}");
  }
}
