package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a record without a reward says: which arm was shown, so that silence may be learned. */
class ShownConfirmationTest {
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, shown: %s%s}";
  private static final List<String> ARMS = List.of("A=left", "A=right");

  @ParameterizedTest
  @ValueSource(strings = {"", ", aggregate: max", ", delay: independent-of-outcome"})
  void confirmedSilenceIsLearnedOnceWhenTheWindowCloses(String rule) {
    Scenario scenario = under("confirmed", rule).context("d1", 0);
    shown(scenario, 1, decided(scenario));
    assertEquals(0, learned(scenario).size(), "not before the window closes");
    scenario.passTo(62);
    assertEquals(List.of(decided(scenario) + " 0.25"), learned(scenario));
    assertEquals(1, scenario.count(Account.DECISION_TIMED_OUT));
    scenario.passTo(200);
    assertEquals(1, learned(scenario).size());
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
    scenario.assertNothingLeft();
  }

  @Test
  void unconfirmedSilenceTeachesNothing() {
    Scenario scenario = under("confirmed", "").context("d1", 0).passTo(62);
    assertEquals(List.of(), learned(scenario));
    shown(scenario, 5, decided(scenario));
    assertEquals(List.of("DECISION_CLOSED"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 1);
  }

  /** An answer at the deadline has the fallback arm, whatever the job decided. */
  @ParameterizedTest
  @ValueSource(strings = {"confirmed", "assumed"})
  void silenceIsLearnedOfTheArmThatWasShown(String rule) {
    Scenario scenario = under(rule, "").context("d1", 0);
    shown(scenario, 1, other(scenario));
    scenario.passTo(62);
    assertEquals(List.of(other(scenario) + " 0.25"), learned(scenario));
    assertNull(last(scenario).decision().propensity(), "only that of the arm decided is known");
    scenario.assertBalanced(1, 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"confirmed", "assumed"})
  void nothingIsLearnedWhereNoArmWasShown(String rule) {
    Scenario scenario = under(rule, "").context("d1", 0);
    shown(scenario, 1, null);
    scenario.passTo(62).reward("d1", 3, 1);
    assertEquals(List.of(), learned(scenario));
    assertEquals(List.of("DECISION_NOT_LEARNABLE"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 2);
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 1"})
  void aRewardCountsInsteadOfTheDefaultBeforeAndAfterTheConfirmation(int confirmed, int clicked) {
    Scenario scenario = under("confirmed", "").context("d1", 0);
    for (int second = 1; second <= 2; second++) {
      if (second == confirmed) {
        shown(scenario, second, decided(scenario));
      } else {
        scenario.reward("d1", clicked, 1);
      }
    }
    scenario.passTo(62);
    assertEquals(List.of(decided(scenario) + " 1.0"), learned(scenario));
    assertEquals(SegmentEventType.WINDOW_CLOSED, last(scenario).type());
    assertEquals(List.of(), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 2);
  }

  @Test
  void aRewardOnArrivalIsOfTheArmConfirmed() {
    Scenario scenario =
        under("confirmed", ", learn: on-arrival, delay: independent-of-outcome").context("d1", 0);
    shown(scenario, 1, other(scenario));
    scenario.reward("d1", 2, 1);
    assertEquals(List.of(other(scenario) + " 1.0"), learned(scenario));
    shown(scenario, 3, other(scenario));
    assertEquals(List.of("DUPLICATE_REWARD"), scenario.deadLetterCodes());
    scenario.assertBalanced(1, 3);
  }

  @Test
  void repetitionsAreRecognizedAtAnyTimeAndTheFirstArmCounts() {
    Scenario scenario = under("confirmed", "").context("d1", 0);
    shown(scenario, 1, decided(scenario));
    shown(scenario, 2, decided(scenario));
    shown(scenario, 3, other(scenario));
    shown(scenario, 4, null);
    scenario.passTo(62);
    shown(scenario, 5, decided(scenario));
    assertEquals(
        List.of("DUPLICATE_REWARD", "CONFLICTING_REWARD", "CONFLICTING_REWARD", "DUPLICATE_REWARD"),
        scenario.deadLetterCodes());
    assertTrue(
        scenario
            .deadLetterMessages()
            .get(1)
            .startsWith(decided(scenario) + " was already confirmed as the arm shown. "),
        () -> scenario.deadLetterMessages().toString());
    assertEquals(List.of(decided(scenario) + " 0.25"), learned(scenario));
    scenario.assertBalanced(1, 5);
  }

  @Test
  void aConfirmationWaitsForItsContext() {
    Scenario scenario = under("confirmed", "");
    shown(scenario, 1, "A=left");
    scenario.context("d1", 0).passTo(62);
    assertEquals(List.of("A=left 0.25"), learned(scenario));
    scenario.assertBalanced(1, 1);
  }

  @Test
  void aConfirmationAfterTheWindowIsLate() {
    Scenario scenario = under("confirmed", "").context("d1", 0);
    shown(scenario, 61, decided(scenario));
    assertEquals(List.of("LATE_REWARD"), scenario.deadLetterCodes());
    scenario.passTo(62);
    assertEquals(List.of(), learned(scenario));
  }

  private static Scenario under(String shown, String rule) {
    return Scenario.under(
        TestSpecs.text(
            "epsilon-greedy, epsilon: 0.1",
            1,
            JOIN.formatted(shown, rule),
            "{range: [0, 1], default: {value: 0.25}}",
            "reject"));
  }

  private static void shown(Scenario scenario, double seconds, @Nullable String arm) {
    scenario.reward(
        RewardEvent.shown(
            "d1",
            Scenario.SEGMENT,
            Scenario.millis(seconds),
            arm,
            scenario.origin("rewards", seconds),
            new byte[] {1}));
  }

  private static String decided(Scenario scenario) {
    return String.valueOf(scenario.log.decisions.get(0).arm());
  }

  private static String other(Scenario scenario) {
    String other = ARMS.get(1 - ARMS.indexOf(decided(scenario)));
    assertNotEquals(decided(scenario), other);
    return other;
  }

  private static List<String> learned(Scenario scenario) {
    return scenario.log.segmentEvents.stream()
        .filter(event -> event.learnedReward() != null)
        .map(event -> event.arm() + " " + event.learnedReward())
        .toList();
  }

  private static SegmentEvent last(Scenario scenario) {
    List<SegmentEvent> events = scenario.log.segmentEvents;
    return events.get(events.size() - 1);
  }
}
