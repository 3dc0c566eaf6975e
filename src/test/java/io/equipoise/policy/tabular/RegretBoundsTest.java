package io.equipoise.policy.tabular;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.policy.tabular.SpecFindings.RegretBounds;
import org.junit.jupiter.api.Test;

/** Both theorems where their logarithms are whole numbers: ln T = 4, ln(1/delta) = 2. */
class RegretBoundsTest {
  private static final double ROUNDS = StrictMath.exp(4);
  private static final double DELTA = StrictMath.exp(-2);
  private static final double E2 = StrictMath.exp(2);
  private static final double TOLERANCE = 1e-9;

  @Test
  void oneCellIsTheoremOneByHand() {
    // sqrt(4 e^4) 4 + sqrt(32 e^4 2)
    assertEquals(16 * E2, new RegretBounds(1, ROUNDS, DELTA).causal(), TOLERANCE);
  }

  @Test
  void aFairPolicyIsTheoremThreeByHand() {
    // (2/2 + 1) (2 sqrt(2 e^4 2) + 4 sqrt(e^4 (2 + ln 2) 2))
    double log = 2 + StrictMath.log(2);
    double expected = 2 * (4 * E2 + 4 * E2 * Math.sqrt(2 * log));
    assertEquals(expected, new RegretBounds(1, ROUNDS, DELTA).fair(2), TOLERANCE);
  }

  @Test
  void fourTimesTheCellsCostTwiceAndASmallerThresholdMore() {
    RegretBounds few = new RegretBounds(48, 5_000, 0.05);
    RegretBounds many = new RegretBounds(192, 5_000, 0.05);
    assertEquals(2 * few.causal(), many.causal(), TOLERANCE * many.causal());
    assertTrue(few.fair(0.1) > few.fair(0.2));
  }
}
