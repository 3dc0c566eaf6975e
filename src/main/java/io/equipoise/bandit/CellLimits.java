package io.equipoise.bandit;

import org.jspecify.annotations.Nullable;

/**
 * The box of one block at one time: for every cell w limits L_w and H_w of E[R|w] and an estimate
 * between them. Of a cell without an observation nothing is known but the range of means; its
 * estimate is the middle.
 */
final class CellLimits {
  private final double[] lower;
  private final double[] upper;
  private final double[] estimate;
  private final boolean[] isUnseen;

  CellLimits(@Nullable CellBlock block, int cells, ConfidenceSequence confidence, long t) {
    lower = new double[cells];
    upper = new double[cells];
    estimate = new double[cells];
    isUnseen = new boolean[cells];
    for (int cell = 0; cell < cells; cell++) {
      if (block == null || block.n(cell) == 0) {
        isUnseen[cell] = true;
        lower[cell] = confidence.low();
        upper[cell] = confidence.high();
        estimate[cell] = confidence.low() + (confidence.high() - confidence.low()) / 2;
      } else {
        double centre = confidence.centre(block, cell);
        double radius = confidence.radius(block, cell, t);
        lower[cell] = confidence.clip(centre - radius);
        upper[cell] = confidence.clip(centre + radius);
        estimate[cell] = Math.max(lower[cell], Math.min(upper[cell], block.mean(cell)));
      }
    }
  }

  double lower(int cell) {
    return lower[cell];
  }

  double upper(int cell) {
    return upper[cell];
  }

  double estimate(int cell) {
    return estimate[cell];
  }

  boolean isUnseen(int cell) {
    return isUnseen[cell];
  }
}
