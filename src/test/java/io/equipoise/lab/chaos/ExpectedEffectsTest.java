package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When the system counts as recovered, and when all that was sent has had its effect. */
class ExpectedEffectsTest {
  private static final String SEGMENT = "shop";

  private final ExpectedEffects expectedEffects = new ExpectedEffects();

  @Test
  void onlyAnAnswerToAContextThatIsNewerThanTheFaultIsRecovery() {
    expectedEffects.context(SEGMENT, "before", 90);
    expectedEffects.watch(100);
    expectedEffects.context(SEGMENT, "after", 110);
    assertTrue(expectedEffects.decided(SEGMENT, "before", 120));
    assertFalse(expectedEffects.isAnswered());
    assertTrue(expectedEffects.decided(SEGMENT, "after", 130));
    assertTrue(expectedEffects.isAnswered());
    assertEquals(Duration.ofNanos(20), expectedEffects.unwatch());
  }

  @Test
  void anAnswerDuringTheHarmCountsOnlyIfItsContextIsNewerThanTheTimeThatIsToldLater() {
    expectedEffects.watch(100);
    expectedEffects.context(SEGMENT, "early", 110);
    expectedEffects.context(SEGMENT, "late", 210);
    expectedEffects.decided(SEGMENT, "early", 120);
    expectedEffects.decided(SEGMENT, "late", 220);
    expectedEffects.rewatch(200);
    assertEquals(Duration.ofNanos(10), expectedEffects.unwatch());
  }

  @Test
  void theLongestWaitCountsAlsoIfOthersWereAnsweredAtOnce() {
    expectedEffects.watch(100);
    expectedEffects.context(SEGMENT, "early", 110);
    expectedEffects.context(SEGMENT, "later", 140);
    expectedEffects.decided(SEGMENT, "early", 120);
    assertTrue(expectedEffects.isAnswered(130));
    assertFalse(expectedEffects.isAnswered(150));
    expectedEffects.decided(SEGMENT, "later", 240);
    assertTrue(expectedEffects.isAnswered(150));
    assertEquals(Duration.ofNanos(100), expectedEffects.unwatch());
    assertEquals(Duration.ZERO, expectedEffects.unwatch());
  }

  @Test
  void aSecondDecisionAnswersNothing() {
    expectedEffects.context(SEGMENT, "a", 1);
    assertTrue(expectedEffects.decided(SEGMENT, "a", 2));
    assertFalse(expectedEffects.decided(SEGMENT, "a", 3));
  }

  @Test
  void allIsSettledWhenEveryContextIsAnsweredAndEveryRewardLearned() {
    expectedEffects.context(SEGMENT, "a", 1);
    assertFalse(expectedEffects.isSettled());
    expectedEffects.reward(SEGMENT, "a");
    expectedEffects.decided(SEGMENT, "a", 2);
    assertFalse(expectedEffects.isSettled());
    expectedEffects.applied(SEGMENT, "a");
    assertTrue(expectedEffects.isSettled());
  }
}
