package io.equipoise.tools.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segmentspec.NumberRange;
import io.equipoise.tools.evaluate.OffPolicy.Estimate;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

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
  }

  @Test
  void theIntervalOfManyEqualWeightsIsTheNormalOne() {
    int n = 10_000;
    double[] weights = new double[n];
    Arrays.fill(weights, 0.25);
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
    Arrays.fill(weights, 3);
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
        "too few rows: 1000 rows count as 1.0 effective ones, at least 2.0 required; log longer or"
            + " with more exploration",
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
    assertEquals("no row has a reward", METHOD.snips(new double[0], new double[0], 0).refusal());
  }
}
