package io.equipoise.policy;

import io.equipoise.segmentspec.NumberRange;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Clips an index into causal bounds: with [L, U] around E[R | x, do(a)] the index of a in x is
 * max(min(U, index), L). Immutable.
 *
 * <p>An arm that was never tried has index U, so one whose U is low is not tried first. An arm
 * without a row, or with one that is passed over, is clipped into the range of rewards.
 */
public final class ClippedIndex {
  /** Clips nothing. */
  public static final ClippedIndex NONE = new ClippedIndex(null, new BitSet(), 0, 0);

  private final @Nullable CausalBoundTable table;
  private final BitSet passedOver;
  private final double low;
  private final double high;

  private ClippedIndex(
      @Nullable CausalBoundTable table, BitSet passedOver, double low, double high) {
    this.table = table;
    this.passedOver = passedOver;
    this.low = low;
    this.high = high;
  }

  /**
   * Clips into the rows of a table.
   *
   * @param passedOver rows that do not clip; copied
   * @param numberRange of rewards
   */
  public static ClippedIndex into(
      CausalBoundTable table, BitSet passedOver, NumberRange numberRange) {
    return new ClippedIndex(
        table, (BitSet) passedOver.clone(), numberRange.low(), numberRange.high());
  }

  /** Returns whether anything is clipped. */
  public boolean isEmpty() {
    return table == null;
  }

  /** Returns L of an arm of the catalog in a context. */
  public double lower(int[] context, int arm) {
    int row = row(context, arm);
    return row < 0 || table == null ? low : table.lower(row);
  }

  /** Returns U of an arm of the catalog in a context. */
  public double upper(int[] context, int arm) {
    int row = row(context, arm);
    return row < 0 || table == null ? high : table.upper(row);
  }

  private int row(int[] context, int arm) {
    int row = table == null ? -1 : table.row(arm, context);
    return row >= 0 && passedOver.get(row) ? -1 : row;
  }

  /** Returns the clipped indices of all arms; the array itself where nothing is clipped. */
  public double[] of(int[] context, double[] index) {
    if (table == null) {
      return index;
    }
    double[] clipped = new double[index.length];
    for (int arm = 0; arm < index.length; arm++) {
      clipped[arm] = Math.max(Math.min(upper(context, arm), index[arm]), lower(context, arm));
    }
    return clipped;
  }
}
