package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.event.Decision;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a segment event says of an arm's probability: nothing where it is not the one decided. */
class ShownArmTest {
  private static final List<String> ARMS = List.of("A=left", "A=right");

  @Test
  void theArmDecidedHasTheProbabilityOfItsDecision() {
    Scenario scenario = decided("first");
    reward(scenario, "r1", decision(scenario).arm());
    assertEquals(decidedPropensity(scenario), segmentEvent(scenario, 1).decision().propensity());
    scenario.assertBalanced(1, 1);
  }

  @Test
  void anotherArmThatWasShownHasNone() {
    Scenario scenario = decided("first");
    reward(scenario, "r1", other(scenario));
    assertEquals(other(scenario), segmentEvent(scenario, 1).arm());
    assertNull(segmentEvent(scenario, 1).decision().propensity());
    scenario.assertBalanced(1, 1);
  }

  /** The first reward says which arm it was; the others may leave it out. */
  @Test
  void anotherArmThatWasShownHasNoneUntilItsWindowCloses() {
    Scenario scenario = decided("mean");
    reward(scenario, "r1", other(scenario));
    reward(scenario, "r2", null);
    reward(scenario, "r3", other(scenario));
    scenario.passTo(100);
    for (int place = 1; place <= 4; place++) {
      assertEquals(other(scenario), segmentEvent(scenario, place).arm());
      assertNull(segmentEvent(scenario, place).decision().propensity(), "outcome " + place);
    }
    scenario.assertBalanced(1, 3);
  }

  @Test
  void theArmDecidedKeepsItsProbabilityUntilItsWindowCloses() {
    Scenario scenario = decided("mean");
    reward(scenario, "r1", null);
    reward(scenario, "r2", decision(scenario).arm());
    scenario.passTo(100);
    for (int place = 1; place <= 3; place++) {
      assertEquals(
          decidedPropensity(scenario), segmentEvent(scenario, place).decision().propensity());
    }
    scenario.assertBalanced(1, 2);
  }

  private static Scenario decided(String aggregate) {
    return Scenario.under(
            TestSpecs.text(
                "epsilon-greedy, epsilon: 0.1",
                1,
                "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, aggregate: "
                    + aggregate
                    + "}",
                "{range: [0, 1]}",
                "reject"))
        .context("d1", 0);
  }

  private static Decision decision(Scenario scenario) {
    return scenario.log.decisions.get(0);
  }

  private static SegmentEvent segmentEvent(Scenario scenario, int place) {
    return scenario.log.segmentEvents.get(place);
  }

  private static double decidedPropensity(Scenario scenario) {
    Decision decision = decision(scenario);
    double propensity = decision.propensitiesOf(ARMS).get(ARMS.indexOf(decision.arm()));
    assertEquals(0.95, propensity, 1e-12);
    return propensity;
  }

  private static String other(Scenario scenario) {
    return ARMS.get(1 - ARMS.indexOf(decision(scenario).arm()));
  }

  private static void reward(Scenario scenario, String id, @Nullable String shown) {
    scenario.reward(
        new RewardEvent(
            "d1",
            id,
            Scenario.SEGMENT,
            Scenario.millis(1),
            0.5,
            Map.of(),
            shown,
            scenario.origin("rewards", 1),
            new byte[0]));
  }
}
