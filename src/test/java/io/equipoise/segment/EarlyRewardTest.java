package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.segment.state.DueIndex;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rewards that come before their contexts, and the room that they have. */
@Tag("slow")
class EarlyRewardTest {
  private static final String RANGE = "{range: [0, 1]}";
  private static final int WINDOW = 60;
  private static final int HOUR = 3_600;

  @Test
  void anEarlyRewardEvictsNothingAndIsRefusedWhereThereIsNoRoom() {
    Scenario scenario =
        Scenario.under(
            TestSpecs.ucb(
                "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, max-pending:"
                    + " 2}",
                RANGE));
    scenario.context("d1", 0).context("d2", 0);
    scenario.reward("e1", 1, 0.5).reward("e2", 1, 0.5).reward("e3", 1, 0.5);
    assertEquals(List.of("NO_ROOM"), scenario.deadLetterCodes());
    assertEquals(0, scenario.count(Account.DECISION_EVICTED));
    assertEquals(1, scenario.count(Account.REWARD_ORPHAN));
    scenario.reward("d1", 2, 0.5).reward("d2", 2, 0.5).context("e1", 3).context("e2", 3);
    assertEquals(4, scenario.count(Account.REWARD_APPLIED));
    assertEquals(List.of("NO_ROOM"), scenario.deadLetterCodes());
    scenario.assertBalanced(4, 5);
    scenario.passTo(1_000).assertNothingLeft();
  }

  /** Rewards lead by nearly three windows, which is more than the room of decisions was before. */
  @Test
  void aBacklogOfAnHourLosesNothingWithThreeTimesTheRoomOfTheSteadyState() {
    int room = 3 * WINDOW; // at one decision a second
    Scenario scenario =
        Scenario.under(
            TestSpecs.ucb(
                "{reward-window: 60s, early-reward-timeout: 60s, dedup-window: 60s, max-pending: "
                    + room
                    + "}",
                RANGE));
    int lead = room - 1;
    for (int second = -lead; second < HOUR; second++) {
      if (second + lead < HOUR) {
        scenario.reward("d" + (second + lead), second + lead + 2, 0.5);
      }
      if (second >= 0) {
        scenario.context("d" + second, second).passTo(second);
      }
    }
    assertEquals(List.of(), scenario.deadLetterCodes());
    assertEquals(HOUR, scenario.count(Account.REWARD_APPLIED));
    assertEquals(0, scenario.count(Account.DECISION_EVICTED));
    scenario.assertBalanced(HOUR, HOUR);
  }

  /** A bucket of the window and the dedup horizon would be a second wide: 2,000 buckets here. */
  @Test
  void theBucketsOfALongHorizonAreFew() {
    Scenario scenario =
        Scenario.under(
            TestSpecs.ucb(
                "{reward-window: 10s, early-reward-timeout: 1d, dedup-window: 10s}", RANGE));
    for (int i = 0; i < 2_000; i++) {
      scenario.reward("e" + i, 40.0 * i, 0.5);
    }
    int buckets = scenario.head().bucketsOf(DueIndex.Queue.EARLY).size();
    assertTrue(buckets < 130, buckets + " buckets");
    assertEquals(2_000, scenario.count(Account.REWARD_HELD_EARLY));
    scenario.passTo(400_000).assertNothingLeft();
    assertEquals(2_000, scenario.count(Account.REWARD_ORPHAN));
  }
}
