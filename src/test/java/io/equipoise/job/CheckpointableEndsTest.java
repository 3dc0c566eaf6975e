package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class CheckpointableEndsTest {
  private final CheckpointableEnds ends = new CheckpointableEnds(new long[] {1, 2});

  private void assertKept(long first, long second) {
    assertArrayEquals(new long[] {first, second}, ends.kept());
  }

  /** A marker at offset 5 of the other partition may stand at 9 of the first, unseen until then. */
  @Test
  void endsAreKeptWhenAllBeforeTheEndThatWasAskedForLaterWasHandedOver() {
    ends.watched(8);
    ends.answered(new long[] {7, 6}, 10);
    assertKept(1, 2);
    ends.watched(9);
    assertKept(1, 2);
    ends.watched(10);
    assertKept(7, 6);
  }

  @Test
  void everyAnswerIsKeptWhereTheWatchKeepsUp() {
    ends.answered(new long[] {7, 6}, 8);
    for (long checkpoint = 1; checkpoint < 5; checkpoint++) {
      ends.watched(10 * checkpoint);
      assertKept(10 * checkpoint - 3, 10 * checkpoint - 4);
      ends.answered(new long[] {10 * checkpoint + 7, 10 * checkpoint + 6}, 10 * checkpoint + 8);
    }
  }

  @Test
  void whoLagsBehindHoldsOnToTheFirstAnswerUntilItCanBeKept() {
    ends.answered(new long[] {7, 6}, 10);
    ends.answered(new long[] {100, 80}, 110);
    ends.answered(new long[] {1_000, 800}, 1_010);
    ends.watched(10);
    assertKept(7, 6);
    ends.answered(new long[] {1_100, 900}, 1_200);
    ends.watched(1_200);
    assertKept(1_100, 900);
  }

  @Test
  void nothingGoesBack() {
    ends.watched(20);
    ends.answered(new long[] {7, 6}, 7);
    assertKept(7, 6);
    ends.watched(2);
    ends.answered(new long[] {4, 8}, 9);
    assertKept(7, 8);
  }

  /** An answer of less does not make little enough. */
  @Test
  void aLaterAnswerOfLessCountsAsTheEarlier() {
    ends.watched(5);
    ends.answered(new long[] {7, 6}, 3);
    assertKept(1, 2);
    ends.watched(7);
    assertKept(7, 6);
  }
}
