package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.event.Account;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rewards that are finite and yet too large for sums of squares stay out of every model. */
class RewardLimitTest {
  private static final String UNBOUNDED = "{range: [0, 1], bounded: false, scale: 1}";
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s%s}";

  @ParameterizedTest
  @ValueSource(strings = {"ucb", "c-ucb", "d-ucb", "f-ucb", "linucb", "epsilon-greedy"})
  void hugeRewardsOfBothSignsAreRefusedAndTheNextContextIsAnswered(String policy) {
    Scenario scenario =
        Scenario.under(TestSpecs.text(policy, 1, JOIN.formatted(""), UNBOUNDED, "reject"));
    double[] rewards = {1.7e308, -1.7e308, Math.nextUp(1e9), 0, 1e9, -1e9};
    for (int i = 0; i < rewards.length; i++) {
      scenario.context("d" + i, i).reward("d" + i, null, i, rewards[i], Map.of("M", "0"));
    }
    scenario.context("next", 10);
    assertEquals(
        List.of("REWARD_OUT_OF_RANGE", "REWARD_OUT_OF_RANGE", "REWARD_OUT_OF_RANGE"),
        scenario.deadLetterCodes());
    assertEquals(3, scenario.count(Account.REWARD_APPLIED));
    assertEquals(7, scenario.count(Account.CONTEXT_DECIDED));
    scenario.assertBalanced(7, 6);
  }

  @Test
  void aSumOfGoodRewardsThatIsTooLargeIsNotLearned() {
    Scenario scenario =
        Scenario.under(TestSpecs.ucb(JOIN.formatted(", aggregate: sum"), UNBOUNDED))
            .context("d1", 0)
            .reward("d1", "r1", 1, 0.6e9, Map.of())
            .reward("d1", "r2", 2, 0.6e9, Map.of())
            .passTo(62)
            .context("next", 70);
    SegmentEvent closed = scenario.log.segmentEvents.get(3);
    assertEquals(SegmentEventType.WINDOW_CLOSED, closed.type());
    assertNull(closed.learnedReward());
    assertEquals("REWARD_OUT_OF_RANGE", closed.reason());
    assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
    scenario.assertBalanced(2, 2);
  }
}
