package io.equipoise.tools.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.NumberRange;
import io.equipoise.tools.evaluate.OffPolicy.Estimate;
import io.equipoise.tools.evaluate.OffPolicy.ValueInterval;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffPolicyTest {
  private static final double EXACT = 1e-12;
  private static final OffPolicy METHOD = new OffPolicy(new NumberRange(0, 1), 0.95, 2, 0.05);

  private static double width(Estimate estimate) {
    return estimate.high() - estimate.low();
  }

  @Test
  void snipsIsTheWeightedMean() {
    Estimate estimate = METHOD.snips(new double[] {4, 0, 1, 3}, new double[] {1, 1, 0, 0.5}, 0);
    assertEquals(5.5 / 8, estimate.value(), EXACT);
    assertEquals(64.0 / 26, estimate.effective(), EXACT);
    assertEquals(2, estimate.meanWeight(), EXACT);
    assertEquals(4, estimate.rows());
    assertNull(estimate.refusal());
  }

  @Test
  void doublyRobustAddsTheWeightedResiduals() {
    double[] weights = {4, 0, 1, 3};
    double[] rewards = {1, 1, 0, 0.5};
    Estimate estimate =
        METHOD.doublyRobust(
            weights,
            rewards,
            new double[] {0.5, 0.5, 0.5, 0.5},
            new double[] {0.3, 0.3, 0.7, 0.7},
            0);
    assertEquals(0.5 + (4 * 0.5 - 0.5) / 8, estimate.value(), EXACT);
    Estimate exact =
        METHOD.doublyRobust(weights, rewards, rewards, new double[] {0.2, 0.4, 0.6, 0.8}, 0);
    assertEquals(0.5, exact.value(), EXACT);
    double[] none = {0, 0, 0, 0};
    double[] model = {0.5, 0.5, 0.5, 0.5};
    Estimate below = METHOD.doublyRobust(weights, none, model, none, 0);
    assertEquals(0, below.value(), "an estimate is within the range");
  }

  @Test
  void theIntervalOfManyEqualWeightsIsTheNormalOne() {
    int n = 10_000;
    double[] weights = new double[n];
    Arrays.fill(weights, 1);
    double[] rewards = new double[n];
    Arrays.fill(rewards, 0, 3_000, 1);
    Estimate estimate = METHOD.snips(weights, rewards, 0);
    double half = 1.96 * Math.sqrt(0.3 * 0.7 / n);
    assertEquals(0.3 - half, estimate.low(), 2e-4);
    assertEquals(0.3 + half, estimate.high(), 2e-4);
    double[] zeros = new double[n];
    Estimate same = METHOD.doublyRobust(weights, rewards, zeros, zeros, 0);
    assertEquals(width(estimate), width(same), 1e-4);
  }

  @Test
  void equalRewardsOfFewRowsGiveAWideInterval() {
    double[] weights = new double[12];
    Arrays.fill(weights, 1);
    Estimate estimate = METHOD.snips(weights, new double[12], 0);
    assertEquals(0, estimate.value(), EXACT);
    assertEquals(0, estimate.low(), EXACT);
    assertTrue(estimate.high() > 0.26, estimate::toString); // that of Clopper and Pearson
  }

  @Test
  void oneGreatWeightIsOneRow() {
    double[] weights = new double[1_000];
    double[] rewards = new double[1_000];
    Arrays.fill(weights, 0.01);
    weights[0] = 1_000;
    Estimate estimate = METHOD.snips(weights, rewards, 0);
    assertEquals(1, estimate.effective(), 0.1);
    assertNull(estimate.value());
    assertEquals(
        "too few rows: 1.0 effective ones of 1000, at least 2.0 required; log longer or with more"
            + " exploration",
        estimate.refusal());
  }

  @Test
  void whatTheLogCannotShowWidensTheIntervalUntilItIsRefused() {
    double[] weights = new double[100];
    double[] rewards = new double[100];
    Arrays.fill(weights, 1);
    Arrays.fill(rewards, 0, 50, 1);
    Estimate whole = METHOD.snips(weights, rewards, 0);
    Estimate part = METHOD.snips(weights, rewards, 0.04);
    assertEquals(0.96 * whole.low(), part.low(), EXACT);
    assertEquals(0.96 * whole.high() + 0.04, part.high(), EXACT);
    Estimate refused = METHOD.snips(weights, rewards, 0.06);
    assertNull(refused.low());
    assertEquals(
        "no overlap: 6.0 % of the target's choices are arms that the log cannot show, at most 5.0 %"
            + " allowed; log with explore over all",
        refused.refusal());
    assertEquals(
        "no row has a reward in reward.range, 0 to 1",
        METHOD.snips(new double[0], new double[0], 0).refusal());
  }

  /** A target that agrees with a tenth of the rows: 20 effective rows of 200. */
  @ParameterizedTest
  @ValueSource(doubles = {0.02, 0.1, 0.5, 0.9})
  void intervalsOfFewEffectiveRowsCover(double mean) {
    int runs = 2_000;
    int snips = 0;
    int doublyRobust = 0;
    SplittableRandom random = new SplittableRandom(5);
    for (int run = 0; run < runs; run++) {
      double[] weights = new double[200];
      double[] rewards = new double[200];
      double[] predicted = new double[200];
      for (int row = 0; row < weights.length; row++) {
        weights[row] = random.nextDouble() < 0.1 ? 10 : 0;
        rewards[row] = random.nextDouble() < mean ? 1 : 0;
        predicted[row] = 0.3;
      }
      snips += isCovered(METHOD.snips(weights, rewards, 0), mean);
      doublyRobust +=
          isCovered(METHOD.doublyRobust(weights, rewards, predicted, predicted, 0), mean);
    }
    double least = (0.95 - 3 * Math.sqrt(0.95 * 0.05 / runs)) * runs;
    assertTrue(snips >= least && doublyRobust >= least, snips + " and " + doublyRobust);
  }

  private static int isCovered(Estimate estimate, double mean) {
    return estimate.low() <= mean && mean <= estimate.high() ? 1 : 0;
  }

  @Test
  void aDifferenceHasAnIntervalOfItsOwn() {
    Estimate one = new Estimate(10, 10, 0, 1, 0.5, 0.2, 0.6, null);
    Estimate other = new Estimate(10, 10, 0, 1, 0.3, 0.0, 0.7, null);
    ValueInterval gap = one.minus(other);
    assertEquals(0.2, gap.value(), EXACT);
    assertEquals(0.2 - 0.5, gap.low(), EXACT);
    assertEquals(0.2 + Math.sqrt(0.1), gap.high(), EXACT);
    assertNull(one.minus(METHOD.snips(new double[0], new double[0], 0)));
  }
}
