package io.equipoise.policy.constraint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EffectBoundsTest {
  private static final EffectSize LEAST = new EffectSize(.2, .1, .3);
  private static final EffectSize MOST = new EffectSize(.2, .15, .5);

  private int asked;

  private boolean isHighAtMost(double limit, double high) {
    return new EffectBounds(LEAST, MOST)
        .isAtMost(
            limit,
            EffectSize::high,
            () -> {
              asked++;
              return new EffectSize(.2, .12, high);
            });
  }

  @Test
  void theSizeIsAskedForOnlyWhereTheLimitLiesBetweenTheBounds() {
    assertTrue(isHighAtMost(.5, .4));
    assertFalse(isHighAtMost(.29, .4));
    assertEquals(0, asked);
    assertTrue(isHighAtMost(.4, .4));
    assertFalse(isHighAtMost(.39, .4));
    assertFalse(isHighAtMost(.3, .4), "at the lower bound the size may still be larger");
    assertTrue(isHighAtMost(.3, .3));
    assertEquals(4, asked);
  }

  @Test
  void whatIsNoNumberDecidesNothingAndIsWithinNoLimit() {
    assertFalse(isHighAtMost(.4, Double.NaN));
    EffectSize unknown = new EffectSize(.2, Double.NaN, Double.NaN);
    EffectBounds bounds = EffectBounds.of(unknown);
    assertTrue(bounds.isAtMost(.4, EffectSize::high, () -> LEAST));
    assertFalse(bounds.isAtMost(.2, EffectSize::high, () -> LEAST));
  }
}
