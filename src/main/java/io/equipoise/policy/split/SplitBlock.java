package io.equipoise.policy.split;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;

/**
 * Stores numbers of the split of one attribute: its sums, or some strata of one level.
 *
 * <pre>
 * Bytes, format 176, big-endian:
 *   0 format (u8)   1 meaning, a hash (i64)   9 numbers (i32), each (f64)
 * </pre>
 */
public final class SplitBlock extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = (byte) 176;

  private long meaning;
  private double[] values = {};

  /** Makes a block to be read. */
  public SplitBlock() {}

  SplitBlock(long meaning, int size) {
    this.meaning = meaning;
    values = new double[size];
  }

  /** The hash of the split that the numbers belong to. */
  long meaning() {
    return meaning;
  }

  /** Returns the numbers themselves. */
  double[] values() {
    return values;
  }

  @Override
  public SplitBlock copy() {
    SplitBlock copy = new SplitBlock(meaning, 0);
    copy.values = values.clone();
    return copy;
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    meaning = bytes.i64(meaning);
    int count = bytes.count(values.length, Double.BYTES);
    values = bytes.room(values, count);
    bytes.f64s(values);
  }
}
