package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.RewardEvent;
import io.equipoise.policy.constraint.EarnState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decisions that wait for their rewards, as the rule counts them that earns while certifying. */
class WaitingDecisionsTest {
  private static final int DECISIONS = 9;
  private static final String JOIN = "{reward-window: 60s, dedup-window: 60s}";

  static List<String> policies() {
    return List.of(
        "ucb, constraint: screen, explore: balanced, ties: seeded",
        "linucb, model: shared, constraint: hard, theta-norm: 1, explore: earn,"
            + " features: [intercept, one-hot: S, one-hot: A]",
        "screen, explore: balanced, features: [intercept, one-hot: S, one-hot: X, one-hot: A]");
  }

  /** The first decision of an arm without a position of its own in the spec is not counted. */
  @ParameterizedTest
  @MethodSource("policies")
  void aDecisionWaitsUntilItsRewardCameOrNoneWill(String policy) {
    Scenario scenario = decided(policy);
    long counted = waiting(scenario);
    assertTrue(counted >= DECISIONS - 2, "counted " + counted);
    scenario.reward("d" + (DECISIONS - 1), DECISIONS, 1);
    assertEquals(counted - 1, waiting(scenario));
    scenario.passTo(100);
    assertEquals(0, waiting(scenario));
    scenario.assertBalanced(DECISIONS, 1);
  }

  /** As where a gateway answers with a fallback arm at its deadline, and that is rewarded. */
  @ParameterizedTest
  @MethodSource("policies")
  void aDecisionWaitsNoMoreOnceAnotherArmIsRewarded(String policy) {
    Scenario scenario = decided(policy);
    for (int i = 0; i < DECISIONS; i++) {
      scenario.reward(
          new RewardEvent(
              "d" + i,
              null,
              Scenario.SEGMENT,
              Scenario.millis(DECISIONS),
              1.0,
              Map.of("M", "1"),
              "A=left",
              scenario.origin("rewards", DECISIONS),
              new byte[] {(byte) i}));
    }
    assertEquals(DECISIONS, scenario.count(Account.DECISION_SETTLED));
    assertEquals(0, waiting(scenario));
    for (int i = 0; i < DECISIONS; i++) {
      scenario.context("later" + i, DECISIONS + i);
    }
    assertEquals(DECISIONS, waiting(scenario));
  }

  private static Scenario decided(String policy) {
    Scenario scenario =
        Scenario.under(TestSpecs.text(policy, 1, JOIN, "{range: [0, 1]}", "reject"));
    for (int i = 0; i < DECISIONS; i++) {
      scenario.context("d" + i, i);
    }
    return scenario;
  }

  private static long waiting(Scenario scenario) {
    EarnState found = null;
    for (var entry : scenario.state.blocks().entries()) {
      found = entry.getValue() instanceof EarnState earned ? earned : found;
    }
    EarnState state = Objects.requireNonNull(found);
    return state.waiting(0) + state.waiting(1);
  }
}
