package io.equipoise.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A campaign sees every promise broken. */
@Isolated("measures the heap of the JVM")
class CampaignTest {
  private static final int RECORDS = Tier.count(500, 2000);
  private static final TextDamage DAMAGE = new TextDamage(List.of("a: [1, 2]"), List.of("["));

  private final List<byte[]> kept = new ArrayList<>();

  private static String failure(Campaign.Target<String> target) {
    Campaign<String> campaign = new Campaign<>("targets", DAMAGE, target, 1 << 16, 100);
    AssertionError failure = assertThrows(AssertionError.class, () -> campaign.run(RECORDS));
    return failure.getMessage() + " because " + failure.getCause();
  }

  private static boolean isOdd(String text) {
    return text.length() % 2 == 1;
  }

  @Test
  void aTargetThatKeepsAllPromisesPasses() throws InterruptedException {
    new Campaign<>("targets", DAMAGE, CampaignTest::isOdd, 1 << 16, 100).run(RECORDS);
  }

  @Test
  void anExceptionIsToldWithTheRecordAndTheSeed() {
    String failure =
        failure(
            text -> {
              if (text.contains("[[")) {
                throw new IllegalStateException("nested");
              }
              return isOdd(text);
            });
    assertTrue(failure.startsWith("targets, seed "), failure);
    assertTrue(failure.contains("[[") && failure.contains("nested"), failure);
  }

  @Test
  void aStackThatEndsIsAFindingToo() {
    assertTrue(failure(text -> depth(text) > 0).contains("StackOverflowError"));
  }

  private static int depth(String text) {
    return 1 + deeper(text);
  }

  private static int deeper(String text) {
    return 1 + depth(text);
  }

  @Test
  void aRecordThatAllocatesBeyondItsLengthIsTold() {
    String failure = failure(text -> new byte[text.contains("9") ? 1 << 20 : 1].length > 1);
    assertTrue(failure.contains("bytes allocated, allowed are"), failure);
  }

  @Test
  void aHeapThatGrowsIsTold() {
    String failure =
        failure(
            text -> {
              kept.add(new byte[60_000]);
              return isOdd(text);
            });
    assertTrue(failure.contains("since a tenth"), failure);
    kept.clear();
  }

  @Test
  void equalSeedsMakeEqualRecords() {
    for (int seed = 0; seed < 100; seed++) {
      assertEquals(
          DAMAGE.next(new SplittableRandom(seed)), DAMAGE.next(new SplittableRandom(seed)));
    }
  }
}
