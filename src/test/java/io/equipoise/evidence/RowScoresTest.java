package io.equipoise.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.simulation.SplitMix;
import org.junit.jupiter.api.Test;

/** The lemma of docs/math/watch.md#scores, by enumeration of all arms and rewards. */
class RowScoresTest {
  private static final int ROWS = 500;
  private static final int ARMS = 4;
  private static final double ROUNDING = 1e-9;

  private final SplitMix random = new SplitMix(3);
  private double[] p = {};
  private double[] pi = {};
  private double[] q = {};
  private double[] mean = {};

  /** A fifth of the logged policies cannot show some arm; some propensities are tiny. */
  private void draw() {
    p = policy(random.nextDouble() < .2 ? 0 : random.nextDouble() < .5 ? 1e-4 : .1);
    pi = policy(random.nextDouble() < .5 ? 0 : .1);
    q = new double[ARMS];
    mean = new double[ARMS];
    for (int arm = 0; arm < ARMS; arm++) {
      q[arm] = random.nextDouble();
      mean[arm] = random.nextDouble();
    }
  }

  private double[] policy(double least) {
    double[] policy = new double[ARMS];
    int best = (int) (ARMS * random.nextDouble());
    for (int arm = 0; arm < ARMS; arm++) {
      policy[arm] = arm == best ? 1 - (ARMS - 1) * least : least;
    }
    return policy;
  }

  private double[] expected(boolean isDifference, boolean isUpper, boolean isMissing) {
    double[] expected = new double[BetMixture.COUNT];
    for (int arm = 0; arm < ARMS; arm++) {
      for (int reward = 0; reward < 2 && p[arm] > 0; reward++) {
        double probability = p[arm] * (reward == 1 ? mean[arm] : 1 - mean[arm]);
        RowScores row = new RowScores(p, pi, q, arm, isMissing ? Double.NaN : reward);
        double[] scores = row.scores(isDifference ? 1 : 0, isUpper);
        for (int j = 0; j < scores.length; j++) {
          expected[j] += probability * scores[j];
          double least = -BetMixture.cut(j) - (isDifference ? 1 : 0);
          assertTrue(scores[j] >= least - ROUNDING, "a score below what its rate can bear");
        }
      }
    }
    return expected;
  }

  @Test
  void noScoreIsHigherInTheMeanThanWhatItBounds() {
    for (int i = 0; i < ROWS; i++) {
      draw();
      double value = 0;
      double logged = 0;
      double unseen = 0;
      for (int arm = 0; arm < ARMS; arm++) {
        value += pi[arm] * mean[arm];
        logged += p[arm] * mean[arm];
        unseen += p[arm] < RowScores.LEAST_PROPENSITY ? pi[arm] : 0;
      }
      double[] low = expected(false, false, false);
      double[] high = expected(false, true, false);
      double[] lowDifference = expected(true, false, false);
      double[] highDifference = expected(true, true, false);
      double[] missing = expected(true, false, true);
      for (int j = 0; j < BetMixture.COUNT; j++) {
        assertTrue(low[j] <= value + ROUNDING);
        assertTrue(high[j] <= 1 - value + ROUNDING);
        assertTrue(lowDifference[j] <= value - logged + ROUNDING);
        assertTrue(highDifference[j] <= logged - value + ROUNDING);
        assertTrue(missing[j] <= lowDifference[j] + ROUNDING, "missing rewards raise nothing");
        if (unseen == 0) {
          assertEquals(value, low[j], ROUNDING);
          assertEquals(value - logged, lowDifference[j], ROUNDING);
        }
      }
    }
  }

  @Test
  void aChallengerOfArmsThatTheLogNeverShowsIsWorthNothingAtTheLowerEnd() {
    OffPolicySums sums = new OffPolicySums();
    double[] logged = {1, 0};
    double[] unseen = {0, 1};
    double[] half = {.5, .5};
    for (int row = 0; row < 5000; row++) {
      double reward = random.nextDouble() < .3 ? 1 : 0;
      sums.add(new RowScores(logged, unseen, half, 0, reward), 0);
    }
    assertTrue(sums.difference(.025).low() <= -Math.abs(sums.difference()));
    assertTrue(sums.difference(.025).low() < -.25 && sums.difference(.025).high() > .6);
    assertEquals(0, sums.value().mean(), 0.0);
    assertTrue(sums.evidence(0) < 0);
    assertEquals(1, sums.unsupported());
  }
}
