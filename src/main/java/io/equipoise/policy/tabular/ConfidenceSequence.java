package io.equipoise.policy.tabular;

import io.equipoise.event.AuditGuarantee;

/**
 * Limits the mean reward of a cell from what was observed in it.
 *
 * <p>Every limit is clipped to the known range of means. A cell without an observation has that
 * whole range. The clipping keeps lower &lt;= upper, also where noise carries the mean out of the
 * range.
 */
public sealed interface ConfidenceSequence
    permits SubGaussian, EmpiricalBernsteinSequence, PerRoundConfidence {
  /** Returns the known range of means. */
  double low();

  double high();

  AuditGuarantee guarantee();

  /** Returns the middle of the unclipped interval of a cell with an observation. */
  double center(CellBlock block, int cell);

  /** Returns half the length of the unclipped interval of a cell with an observation. */
  double radius(CellBlock block, int cell, long t);

  /** Says whether cells must keep more than n, mean and m2. */
  default boolean needsSums() {
    return false;
  }

  /** Adds a reward to all that this confidence needs of a cell. */
  default void observe(CellBlock block, int cell, double reward) {
    block.observe(cell, reward);
  }

  default double lower(CellBlock block, int cell, long t) {
    return block.n(cell) == 0 ? low() : clip(center(block, cell) - radius(block, cell, t));
  }

  default double upper(CellBlock block, int cell, long t) {
    return block.n(cell) == 0 ? high() : clip(center(block, cell) + radius(block, cell, t));
  }

  /** Returns the nearest value in the range of means. */
  default double clip(double value) {
    return Math.max(low(), Math.min(high(), value));
  }
}
