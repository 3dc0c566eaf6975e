package io.equipoise.tools.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** When the system counts as recovered, and when all that was sent has had its effect. */
class TruthTest {
  private static final String SEGMENT = "shop";

  private final Truth truth = new Truth();

  @Test
  void onlyAnAnswerToAContextThatIsNewerThanTheFaultIsRecovery() {
    truth.context(SEGMENT, "before", 90);
    truth.watch(100);
    truth.context(SEGMENT, "after", 110);
    assertTrue(truth.decided(SEGMENT, "before", 120));
    assertEquals(OptionalLong.empty(), truth.firstAnswer());
    assertTrue(truth.decided(SEGMENT, "after", 130));
    assertEquals(OptionalLong.of(130), truth.firstAnswer());
  }

  @Test
  void anAnswerDuringTheHarmCountsOnlyIfItsContextIsNewerThanTheTimeThatIsToldLater() {
    truth.watch(100);
    truth.context(SEGMENT, "early", 110);
    truth.context(SEGMENT, "late", 210);
    truth.decided(SEGMENT, "early", 120);
    truth.decided(SEGMENT, "late", 220);
    truth.rewatch(200);
    assertEquals(OptionalLong.of(220), truth.firstAnswer());
  }

  @Test
  void aSecondDecisionAnswersNothing() {
    truth.context(SEGMENT, "a", 1);
    assertTrue(truth.decided(SEGMENT, "a", 2));
    assertFalse(truth.decided(SEGMENT, "a", 3));
  }

  @Test
  void allIsSettledWhenEveryContextIsAnsweredAndEveryRewardLearned() {
    truth.context(SEGMENT, "a", 1);
    assertFalse(truth.isSettled());
    truth.reward(SEGMENT, "a");
    truth.decided(SEGMENT, "a", 2);
    assertFalse(truth.isSettled());
    truth.applied(SEGMENT, "a");
    assertTrue(truth.isSettled());
  }
}
