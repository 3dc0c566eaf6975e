package io.equipoise.causal.bounds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MixtureTest {
  private static final double TEST_TOLERANCE = 1e-12;

  private static Range range(double low, double high) {
    return new Range(low, high, 1, 0, true);
  }

  /** What is left of 1 after the least weights, 0.7, goes where it helps most. */
  @Test
  void whatIsLeftOfTheWeightsGoesToTheBestValueFirst() {
    Range[] weights = {range(0.2, 0.5), range(0.1, 0.6), range(0, 0.4)};
    Range[] values = {range(0.3, 0.4), range(0.1, 0.2), range(0.7, 0.9)};
    assertEquals(0.4 * 0.3 + 0.6 * 0.1, Mixture.least(weights, values), TEST_TOLERANCE);
    assertEquals(
        0.4 * 0.9 + 0.5 * 0.4 + 0.1 * 0.2, Mixture.greatest(weights, values), TEST_TOLERANCE);
  }

  @Test
  void knownWeightsGiveThePlainMean() {
    Range[] weights = {range(0.25, 0.25), range(0.75, 0.75)};
    Range[] values = {range(0.4, 0.6), range(0, 1)};
    assertEquals(0.1, Mixture.least(weights, values), TEST_TOLERANCE);
    assertEquals(0.9, Mixture.greatest(weights, values), TEST_TOLERANCE);
  }
}
