package io.equipoise.policy;

import io.equipoise.layout.Stored;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.policy.tabular.CellBlock;
import io.equipoise.policy.tabular.DualState;

/**
 * Holds one piece of what a segment has learned: no access to state moves more than one. Mutable.
 *
 * <p>The first byte of every layout is its format, which no other layout of any block has:
 *
 * <pre>
 *    1 to 15  {@link CellBlock}
 *   16 to 31  a ridge regression, or contrasts of its effects
 *   32 to 47  mean rewards of groups
 *   48 to 63  what a linear policy remembers of its own; {@link EarnState}, of three families
 *   64 to 79  a logistic regression
 *   80 to 95  what a logistic policy remembers of its own
 *   96 to 111 an experiment: its progress, its sums
 *  112 to 127 statistics and plan of optimal allocation matching
 *  128 to 143 what arms and levels of earlier specs meant
 *  144 to 159 {@link DualState}
 *  160 to 175 evidence against the assumptions of a spec
 *  176 to 191 splits of gaps between groups
 *  192 to 255 blocks of foreign {@linkplain PolicyFamily families}
 * </pre>
 */
public abstract class StateBlock extends Stored {
  /** Returns a deep copy. */
  public abstract StateBlock copy();

  /**
   * Returns whether decisions only read the block, so that it can be shared with them. A block that
   * does not say so is copied for each decision that reads it.
   */
  public boolean isChangedByRewardsOnly() {
    return false;
  }
}
