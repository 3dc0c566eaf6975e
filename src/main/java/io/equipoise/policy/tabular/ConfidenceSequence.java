package io.equipoise.policy.tabular;

import org.jspecify.annotations.Nullable;

/**
 * Limits the mean reward of a cell from what was observed in it.
 *
 * <p>Every limit is clipped to the known range of means. A cell without an observation has that
 * whole range. The clipping keeps lower &lt;= upper, also where noise carries the mean out of the
 * range.
 */
public sealed interface ConfidenceSequence extends CellConfidence
    permits SubGaussian, BetaMixture, PerRoundConfidence {
  /** Returns the known range of means. */
  double low();

  double high();

  /**
   * Limits a cell with an observation, without clipping.
   *
   * @param ends gets the lower and the upper end
   */
  void limit(CellBlock block, int cell, long t, double[] ends);

  /** Returns the lower end of a cell, clipped. */
  default double lower(CellBlock block, int cell, long t) {
    return block.n(cell) == 0 ? low() : end(block, cell, t, 0);
  }

  /** Returns the upper end of a cell, clipped. */
  default double upper(CellBlock block, int cell, long t) {
    return block.n(cell) == 0 ? high() : end(block, cell, t, 1);
  }

  private double end(CellBlock block, int cell, long t, int which) {
    double[] ends = new double[2];
    limit(block, cell, t, ends);
    return clip(ends[which]);
  }

  @Override
  default CellLimits limits(@Nullable CellBlock block, int cells, long t) {
    return new CellLimits(block, cells, this, t);
  }

  /** Returns the nearest value in the range of means. */
  default double clip(double value) {
    return Math.max(low(), Math.min(high(), value));
  }
}
