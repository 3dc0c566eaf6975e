package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.EarnState;
import org.jspecify.annotations.Nullable;

/**
 * Stores the statistics of a segment's linear policy: blocks by arm. An arm that was never seen has
 * empty ones; one that is gone keeps its own, may still be rewarded, and may come back.
 *
 * <p>A block may be changed in place; whoever does so says so by {@link #changed} or {@link
 * #stateChanged}, without which the change may or may not be kept.
 */
public interface LinearBlocks {
  /** The key of the one ridge regression where theta is shared by all arms. */
  int SHARED = -1;

  /** Returns the position that an arm has or, if it was never seen, would get if it was chosen. */
  default int position(int arm) {
    return arm;
  }

  RidgeRegression ridge(int arm);

  /**
   * Returns the regression on people who disclosed all that the features show, by which effects are
   * bounded: a coefficient that also learns from others takes on what they do not disclose. It is
   * that of {@link #ridge} until others come.
   */
  default RidgeRegression complete(int arm) {
    return ridge(arm);
  }

  /**
   * Returns the contrasts of {@link #complete}, ready to be asked and to learn; null where effects
   * are bounded by the ellipsoid alone.
   */
  default @Nullable ContrastBlock contrasts(int arm) {
    return null;
  }

  /** Returns the group means of an arm; those of {@link #SHARED} are over all arms. */
  GroupMeans groups(int arm);

  PolicyState state();

  /** Returns whether an arm has its position, so that what is kept of it stays. */
  default boolean isKnown(int arm) {
    return true;
  }

  /** Returns what the rule remembers that earns while certifying. */
  default EarnState earning() {
    throw new UnsupportedOperationException("blocks without a place for what is remembered");
  }

  default void earningChanged() {}

  /** Marks the blocks of an arm, or of {@link #SHARED}, as changed. */
  void changed(int arm);

  /** Marks the policy's state as changed. */
  void stateChanged();
}
