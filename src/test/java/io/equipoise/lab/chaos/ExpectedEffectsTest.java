package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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
    expectedEffects.reward(SEGMENT, "a", 100);
    expectedEffects.decided(SEGMENT, "a", 2);
    assertFalse(expectedEffects.isSettled());
    expectedEffects.applied(SEGMENT, "a", 100);
    assertTrue(expectedEffects.isSettled());
  }

  @Test
  void aRewardThatWasAppendedAfterItsWindowMustBeADeadLetter() {
    List<ErrorCode> codes =
        List.of(ErrorCode.LATE_REWARD, ErrorCode.DECISION_CLOSED, ErrorCode.ORPHAN);
    for (ErrorCode code : codes) {
      expectedEffects.reward(SEGMENT, code.name(), 100);
      expectedEffects.rejected(SEGMENT, code.name(), ErrorCode.DUPLICATE_REWARD, 101);
      assertFalse(expectedEffects.isSettled());
      expectedEffects.rejected(SEGMENT, code.name(), code, 101);
      expectedEffects.rejected(SEGMENT, code.name(), code, 102); // its repetition
      assertTrue(expectedEffects.isSettled());
    }
    assertEquals(
        codes.stream().collect(Collectors.toMap(code -> code, code -> 1)), expectedEffects.late());
  }

  @Test
  void aRewardThatWasAppendedInTimeMustBeLearned() {
    expectedEffects.reward(SEGMENT, "a", 100);
    expectedEffects.rejected(SEGMENT, "a", ErrorCode.DECISION_CLOSED, 100);
    assertFalse(expectedEffects.isSettled());
    assertEquals(
        "0 contexts without decision, 1 rewards not learned:"
            + " shop/a=DECISION_CLOSED, appended 0 ms before the end of its window",
        expectedEffects.missing());
    assertEquals(Map.of(), expectedEffects.late());
  }

  @Test
  void aRewardOfAfterItsWindowMustNotBeLearned() {
    expectedEffects.reward(SEGMENT, "a", 100);
    expectedEffects.applied(SEGMENT, "a", 103);
    assertFalse(expectedEffects.isSettled());
    assertEquals(
        "0 contexts without decision, 1 rewards not learned: shop/a=learned, 3 ms after its window",
        expectedEffects.missing());
  }
}
