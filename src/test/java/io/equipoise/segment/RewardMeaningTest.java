package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A spec that changes what the learned reward means changes what the statistics mean. */
class RewardMeaningTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s%s}";
  private static final String DEFAULT =
      "{range: [0, 1], default: {value: %s, mediators: {M: \"%s\"}}}";

  @ParameterizedTest
  @ValueSource(strings = {"ucb", "c-ucb", "linucb", "lin-ts", "epsilon-greedy", "glm-ucb"})
  void aSpecWithAnotherMeaningOfTheRewardIsRefused(String policy) {
    String plain = "{range: [0, 1]}";
    String zero = DEFAULT.formatted("0", "0");
    refused(policy, ", aggregate: max", plain, ", aggregate: sum", plain);
    refused(policy, "", plain, ", aggregate: sum", plain);
    refused(policy, ", aggregate: sum", plain, "", plain);
    refused(policy, "", plain, ", learn: on-window-close", plain);
    refused(policy, "", plain, "", zero);
    refused(policy, "", zero, "", DEFAULT.formatted("1", "0"));
    refused(policy, "", zero, "", DEFAULT.formatted("0", "1"));
    refused(policy, ", shown: confirmed", zero, ", shown: assumed", zero);
  }

  private static void refused(
      String policy, String join, String reward, String nextJoin, String nextReward) {
    Scenario scenario = under(policy, join, reward, "reject").context("d1", 0);
    scenario.book.publish(
        TestSpecs.text(policy, 2, JOIN.formatted(nextJoin), nextReward, "reject"));
    scenario.context("d2", 1);
    assertEquals(List.of("SPEC_REJECTED"), scenario.deadLetterCodes(), nextJoin + nextReward);
    assertEquals(1L, scenario.log.decisions.get(1).specVersion());
  }

  @ParameterizedTest
  @CsvSource({"sum, max", "max, first", "mean, sum"})
  void rewardsThatWereCollectedUnderAnotherAggregateAreNotLearned(String before, String after) {
    String plain = "{range: [0, 1]}";
    Scenario scenario =
        under("ucb", ", aggregate: " + before, plain, "reset")
            .context("d1", 0)
            .reward("d1", "r1", 1, 0.25, Map.of());
    scenario.book.publish(
        TestSpecs.text("ucb", 2, JOIN.formatted(", aggregate: " + after), plain, "reset"));
    scenario.reward("d1", "r2", 2, 0.5, Map.of()).passTo(70);
    assertEquals(List.of("MODEL_CHANGED"), scenario.deadLetterCodes());
    SegmentEvent closed = scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1);
    assertEquals(SegmentEventType.WINDOW_CLOSED, closed.type());
    assertEquals("MODEL_CHANGED", closed.reason());
    assertNull(closed.learnedReward());
    scenario.assertBalanced(1, 2);
  }

  private static Scenario under(String policy, String join, String reward, String onChange) {
    return Scenario.under(TestSpecs.text(policy, 1, JOIN.formatted(join), reward, onChange));
  }
}
