package io.equipoise.policy.tabular;

import io.equipoise.policy.tabular.JointRegion.Cell;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is known of the cells of one block at one time: for every cell w limits L_w and H_w of
 * E[R|w] and an estimate between them. Of a cell without an observation nothing is known but the
 * range of means; its estimate is the middle. Where a {@link JointRegion} limits cells together,
 * each cell alone has the whole range.
 */
final class CellLimits {
  private final double[] lower;
  private final double[] upper;
  private final double[] estimate;
  private final long[] observations;
  private final @Nullable CellBlock block;

  /** The region that limits the cells together, or null where each has limits of its own. */
  final @Nullable JointRegion region;

  private final Cell[] joint;

  CellLimits(@Nullable CellBlock block, int cells, ConfidenceSequence confidence, long t) {
    lower = new double[cells];
    upper = new double[cells];
    estimate = new double[cells];
    observations = new long[cells];
    this.block = block;
    region = null;
    joint = new Cell[0];
    double[] ends = new double[2];
    for (int cell = 0; cell < cells; cell++) {
      if (block == null || block.n(cell) == 0) {
        lower[cell] = confidence.low();
        upper[cell] = confidence.high();
        estimate[cell] = confidence.low() + (confidence.high() - confidence.low()) / 2;
      } else {
        observations[cell] = block.n(cell);
        confidence.limit(block, cell, t, ends);
        lower[cell] = confidence.clip(ends[0]);
        upper[cell] = confidence.clip(ends[1]);
        estimate[cell] = Math.max(lower[cell], Math.min(upper[cell], block.mean(cell)));
      }
    }
  }

  CellLimits(@Nullable CellBlock block, int cells, JointRegion region, double low, double high) {
    lower = new double[cells];
    upper = new double[cells];
    estimate = new double[cells];
    observations = new long[cells];
    this.block = block;
    this.region = region;
    joint = new Cell[cells];
    for (int cell = 0; cell < cells; cell++) {
      lower[cell] = low;
      upper[cell] = high;
      observations[cell] = block == null ? 0 : block.n(cell);
      estimate[cell] =
          block == null || block.n(cell) == 0
              ? low + (high - low) / 2
              : Math.max(low, Math.min(high, block.mean(cell)));
    }
  }

  /** Returns what the region needs of a cell; the block must not have learned since. */
  Cell joint(int cell) {
    Cell known = joint[cell];
    if (known == null) {
      known =
          block == null || region == null
              ? Cell.UNSEEN
              : region.cell(block.n(cell), block.mean(cell));
      joint[cell] = known;
    }
    return known;
  }

  /** Returns how many cells the block has. */
  int cells() {
    return estimate.length;
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
    return observations[cell] == 0;
  }

  /** Returns the variance of the cell's mean in units of one reward's variance; may be infinite. */
  double variance(int cell) {
    return 1.0 / observations[cell];
  }

  /** Returns the variance of the cell's mean if it had one reward more, in the same units. */
  double spread(int cell) {
    return 1.0 / (observations[cell] + 1);
  }

  /**
   * Returns the largest |sum_z c_z E[R|w_z]| in the box, with c = there - here and the cells from
   * {@code first} on. Sums in the order of {@link EffectBound}, so that both say the same.
   */
  double worst(int first, double[] here, double[] there) {
    double infimum = 0;
    double supremum = 0;
    for (int z = 0; z < here.length; z++) {
      double c = there[z] - here[z];
      double atLower = c * lower[first + z];
      double atUpper = c * upper[first + z];
      infimum += Math.min(atLower, atUpper); // no branch on a sign that nobody can foretell
      supremum += Math.max(atLower, atUpper);
    }
    return Math.max(Math.abs(infimum), Math.abs(supremum));
  }

  /** The same where the other world's cells lie in another block. */
  double worst(int first, double[] here, CellLimits others, double[] there) {
    double infimum = 0;
    double supremum = 0;
    for (int z = 0; z < here.length; z++) {
      int cell = first + z;
      infimum += there[z] * others.lower[cell];
      supremum += there[z] * others.upper[cell];
      infimum += -here[z] * upper[cell];
      supremum += -here[z] * lower[cell];
    }
    return Math.max(Math.abs(infimum), Math.abs(supremum));
  }

  /** Returns how far apart the means of so many cells from {@code first} on can be. */
  double width(int first, int cells) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (int cell = first; cell < first + cells; cell++) {
      least = Math.min(least, lower[cell]);
      greatest = Math.max(greatest, upper[cell]);
    }
    return greatest - least;
  }
}
