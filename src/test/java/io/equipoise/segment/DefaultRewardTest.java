package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.Account;
import io.equipoise.event.SegmentEvent;
import io.equipoise.segmentspec.SpecException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What silence is taken for, and what becomes of it where the model asks for more. */
class DefaultRewardTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String BARE = "{range: [0, 1], default: {value: 0}}";
  private static final String WHOLE = "{range: [0, 1], default: {value: 0, mediators: {M: \"1\"}}}";

  @ParameterizedTest
  @ValueSource(strings = {"d-ucb", "f-ucb"})
  void aDefaultWithoutTheMediatorsOfCellsIsRefusedWithTheRemedy(String policy) {
    SpecException refused =
        assertThrows(SpecException.class, () -> TestSpecs.compiled(text(policy, BARE, JOIN)));
    assertEquals(
        List.of(
            "reward.default.mediators: no level of M given; a level of each of M, since the policy"
                + " learns by cells of [M, X]; or no reward.default: then silence teaches nothing"),
        refused.faults().stream().map(Object::toString).map(DefaultRewardTest::sorted).toList());
  }

  /** W is a set. */
  private static String sorted(String fault) {
    return fault.replace("[X, M]", "[M, X]");
  }

  @Test
  void aDefaultThatNeedsNoMoreIsTaken() {
    assertNotNull(TestSpecs.compiled(text("ucb", BARE, JOIN)));
    assertNotNull(TestSpecs.compiled(text("d-ucb", WHOLE, JOIN)));
  }

  @Test
  void theMediatorsOfADefaultAreLearnedWithIt() {
    Scenario scenario = Scenario.under(text("d-ucb", WHOLE, JOIN)).context("d1", 0).passTo(62);
    SegmentEvent expired = scenario.log.segmentEvents.get(1);
    assertEquals(0.0, expired.learnedReward());
    assertEquals(1, scenario.count(Account.DECISION_TIMED_OUT));
    scenario.assertBalanced(1, 0);
  }

  @Test
  void theDefaultOfANumericMediatorIsTheNameOfItsLevel() {
    String numeric =
        text("d-ucb", WHOLE.replace("\"1\"", "\"[2,4]\""), JOIN)
            .replace("levels: [\"0\", \"1\"]", "range: [0, 4], cuts: [2]");
    assertArrayEquals(new int[] {1}, TestSpecs.compiled(numeric).defaultMediators());
    Scenario scenario = Scenario.under(numeric).context("d1", 0).passTo(62);
    assertEquals(1, scenario.count(Account.DECISION_TIMED_OUT));
    assertEquals(0.0, scenario.log.segmentEvents.get(1).learnedReward());
  }

  @Test
  void aWindowClosesOnTimeHoweverLongItsIdIsRemembered() {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 30d}";
    Scenario scenario = Scenario.under(text("d-ucb", WHOLE, join)).context("d1", 0);
    assertEquals(0, scenario.passTo(59).count(Account.DECISION_TIMED_OUT));
    assertEquals(1, scenario.passTo(61).count(Account.DECISION_TIMED_OUT));
    join = "{reward-window: 30m, early-reward-timeout: 30s, dedup-window: 1d}";
    scenario = Scenario.under(text("d-ucb", WHOLE, join)).context("d1", 0);
    assertEquals(0, scenario.passTo(1_799).count(Account.DECISION_TIMED_OUT));
    assertEquals(1, scenario.passTo(1_804).count(Account.DECISION_TIMED_OUT));
  }

  private static String text(String policy, String reward, String join) {
    return TestSpecs.text(policy, 1, join, reward, "reject");
  }
}
