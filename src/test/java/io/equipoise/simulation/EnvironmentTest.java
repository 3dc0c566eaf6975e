package io.equipoise.simulation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
  @Test
  void theGeneratorIsSplitMix() {
    SplitMix random = new SplitMix(42);
    SplittableRandom reference = new SplittableRandom(42);
    for (int i = 0; i < 100; i++) {
      assertEquals(reference.nextLong(), random.nextLong());
    }
  }

  @Test
  void gaussianNumbersHaveMeanNoughtAndVarianceOne() {
    SplitMix random = new SplitMix(1);
    int n = 100_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
      double x = random.nextGaussian();
      sum += x;
      squares += x * x;
    }
    assertEquals(0, sum / n, 4 / Math.sqrt(n));
    assertEquals(1, squares / n, 4 * Math.sqrt(2.0 / n));
  }

  @Test
  void rewardsAverageToTheExactMean() {
    Environment environment = EmailCampaign.environment();
    int[] person = {1, 1, 1};
    int n = 40_000;
    List<Round> rounds = environment.rounds(n, 3);
    for (int arm : new int[] {0, 10, 33}) {
      double sum = 0;
      for (Round round : rounds) {
        Round same = new Round(person, round.uniforms(), round.noise());
        sum += environment.answer(same, arm).reward();
      }
      // A reward's standard deviation is below 0.3.
      assertEquals(environment.means(person)[arm], sum / n, 4 * .3 / Math.sqrt(n));
    }
  }

  @Test
  void peopleAreDrawnByTheirTables() {
    List<Round> rounds = EmailCampaign.environment().rounds(40_000, 5);
    double[] age = new double[3];
    double technicalAtThirty = 0;
    for (Round round : rounds) {
      age[round.context()[1]]++;
      technicalAtThirty += round.context()[1] == 1 && round.context()[2] == 1 ? 1 : 0;
    }
    assertArrayEquals(new double[] {5200, 22400, 12400}, age, 400);
    assertEquals(.8, technicalAtThirty / age[1], .012);
  }

  @Test
  void equalSeedsDrawEqualRounds() {
    Environment environment = EmailCampaign.environment();
    Round one = environment.rounds(9, 7).get(8);
    Round same = environment.rounds(20, 7).get(8);
    assertArrayEquals(one.uniforms(), same.uniforms());
    assertArrayEquals(one.context(), same.context());
    assertEquals(one.noise(), same.noise());
  }
}
