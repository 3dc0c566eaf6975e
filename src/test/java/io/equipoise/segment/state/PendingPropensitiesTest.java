package io.equipoise.segment.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.Choice;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PendingPropensitiesTest {
  private static PendingPropensities of(int arm, PropensityKind kind, double... all) {
    return PendingPropensities.of(
        new Choice(arm, DecisionReason.EXPLOIT, 0, 0, 0, kind, 7, all, false, -1, null, false));
  }

  @Test
  void aSureChoiceListsNothing() {
    assertSame(PendingPropensities.SURE, of(1, PropensityKind.DETERMINISTIC, 0, 1, 0));
    assertEquals(0, PendingPropensities.SURE.list().length);
  }

  /** An answer that was given before may be of an arm that its record gives no chance. */
  @Test
  void whatIsNoSureChoiceIsListedWhateverItsKind() {
    for (double[] all : new double[][] {{1, 0, 0}, {-0.0, 1, 0}, {0, 1, 1}, {0, 0.5, 0.5}}) {
      assertArrayEquals(all, of(1, PropensityKind.DETERMINISTIC, all).list());
    }
    assertArrayEquals(new double[] {0, 1}, of(1, PropensityKind.EXACT, 0, 1).list());
  }

  @Test
  void exploringTakesThreeRunsHoweverManyCandidatesThereAre() {
    double[] all = new double[10_000];
    Arrays.fill(all, 1e-5);
    all[4_321] = 0.9;
    PendingPropensities kept = of(4_321, PropensityKind.EXACT, all);
    assertArrayEquals(new int[] {4_321, 1, 5_678}, kept.runs());
    assertArrayEquals(all, kept.list());
  }

  @Test
  void everyVectorComesBackInTheShorterForm() {
    SplittableRandom random = new SplittableRandom(4);
    double[] some = {0, -0.0, 0.25, Math.nextUp(0.25), 1};
    for (int i = 0; i < 2_000; i++) {
      double[] all = new double[1 + random.nextInt(12)];
      int runs = 1;
      for (int place = 0; place < all.length; place++) {
        boolean isSame = place > 0 && random.nextInt(3) > 0;
        all[place] = isSame ? all[place - 1] : some[random.nextInt(some.length)];
        boolean isNext =
            place > 0
                && Double.doubleToRawLongBits(all[place])
                    != Double.doubleToRawLongBits(all[place - 1]);
        runs += isNext ? 1 : 0;
      }
      PendingPropensities kept = of(0, PropensityKind.ESTIMATED, all);
      assertArrayEquals(all, kept.list());
      assertEquals(7, kept.draws());
      int bytes = kept.values().length * Double.BYTES + kept.runs().length * Integer.BYTES;
      assertEquals(Math.min(8 * all.length, 12 * runs), bytes, Arrays.toString(all));
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    double[] two = {0.25, 0.75};
    for (int[] runs : new int[][] {{3}, {3, 0}, {3, -1}, {1 << 30, 1 << 30}, {1 << 20, 1}}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new PendingPropensities(PropensityKind.EXACT, 0, two, runs),
          Arrays.toString(runs));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> new PendingPropensities(PropensityKind.ESTIMATED, -1, two, new int[0]));
  }
}
