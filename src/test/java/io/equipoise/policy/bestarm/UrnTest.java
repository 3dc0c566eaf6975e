package io.equipoise.policy.bestarm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UrnTest {
  @Test
  void aNaturalUrnIsEmptiedExactlyInAnOrderThatFollowsTheDraws() {
    int[][] quota = {{3, 0, 2}};
    SplittableRandom random = new SplittableRandom(1);
    int[] drawn = new int[3];
    for (int i = 0; i < 5; i++) {
      int arm = Urn.draw(quota, CsrModel.UNKNOWN_GROUP, random.nextDouble());
      quota[0][arm]--;
      drawn[arm]++;
    }
    assertEquals(3, drawn[0]);
    assertEquals(2, drawn[2]);
    assertEquals(Urn.NOT_SAMPLED, Urn.draw(quota, 0, .5));
  }

  @Test
  void cellsAreDrawnInProportionToWhatIsLeft() {
    int[][] quota = {{1, 3}, {4, 0}, {0, 2}};
    SplittableRandom random = new SplittableRandom(2);
    int[] drawn = new int[6];
    int rounds = 100_000;
    for (int i = 0; i < rounds; i++) {
      drawn[Urn.draw(quota, CsrModel.S, random.nextDouble())]++;
    }
    assertEquals(.1, (double) drawn[0] / rounds, .005);
    assertEquals(.3, (double) drawn[1] / rounds, .005);
    assertEquals(.6, (double) drawn[2] / rounds, .005);
    assertEquals(0, drawn[5], "not for this group");
  }

  @Test
  void aDrawForFairnessIsNeverPutToTheNaturalUrn() {
    int[][] quota = {{1, 0}, {0, 0}, {0, 9}};
    assertEquals(0, Urn.draw(quota, CsrModel.S, .05));
    assertEquals(Urn.NOT_SAMPLED, Urn.draw(quota, CsrModel.S, .15), "the urn of s is empty");
    assertEquals(5, Urn.draw(quota, CsrModel.S_PRIME, .15));
    assertEquals(Urn.NOT_SAMPLED, Urn.draw(quota, CsrModel.UNKNOWN_GROUP, .15));
    assertTrue(Urn.draw(quota, CsrModel.UNKNOWN_GROUP, .05) == 0);
  }
}
