package io.equipoise.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.allocation.OamRule.OamChoice;
import io.equipoise.policy.allocation.OamRule.OamState;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Two arms with a feature each, in the one context that there is. */
class OamRuleTest {
  private static final OamTable TABLE = new OamTable(1, 2, new double[][] {{1, 0}, {0, 1}});

  private final OamState state = OamState.of(TABLE);

  private static OamRule policy(double variance) {
    return new OamRule(TABLE, new OamSchedule(100_000, 2, variance, 0, 0));
  }

  private void learn(OamRule policy, int times, double first, double second) {
    for (int i = 0; i < times; i++) {
      policy.learn(state, 0, 0, first);
      policy.learn(state, 0, 1, second);
    }
  }

  @Test
  void aLowerBoundLiftsAnEstimateThatLiesBelowIt() {
    OamRule policy = policy(.001);
    learn(policy, 1000, .5, .1);
    OamBounds oamBounds = OamBounds.of(TABLE, new double[] {0, .8}, new double[] {1, 1});
    OamChoice choice = policy.choose(state, oamBounds, 0);
    assertEquals(1, choice.arm());
    assertEquals(DecisionReason.EXPLOIT, choice.reason());
    assertEquals(.8, choice.index());
    assertEquals(.1, choice.mean(), 1e-12);
    assertEquals(0, policy.choose(state, OamBounds.none(TABLE), 0).arm());
  }

  @Test
  void armsThatNothingTellsApartAreExploredHoweverOftenTheyWerePulled() {
    OamRule policy = policy(.001);
    learn(policy, 1000, .5, .5);
    policy.choose(state, OamBounds.none(TABLE), 0);
    assertEquals(1, state.plan().explored());
  }

  @Test
  void theAllocationIsSolvedAnewWhenExplorationHasGrownByATenth() {
    OamRule policy = policy(1000);
    learn(policy, 1, .4, .6);
    TreeSet<Long> solved = new TreeSet<>();
    for (int round = 0; round < 500; round++) {
      policy.choose(state, OamBounds.none(TABLE), 0);
      OamPlan plan = state.plan();
      assertEquals(round + 1, plan.explored(), "every round explores");
      assertTrue(plan.explored() < 1.1 * plan.exploredWhenSolved, "round " + round);
      solved.add(plan.exploredWhenSolved);
    }
    assertTrue(solved.size() < 60, "solved " + solved.size() + " times in 500 rounds");
  }
}
