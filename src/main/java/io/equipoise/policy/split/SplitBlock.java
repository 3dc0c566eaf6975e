package io.equipoise.policy.split;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;

/**
 * Stores numbers of the split of one attribute: its sums, or some strata of one level. Most strata
 * of a deep level are empty and take a bit for each number.
 *
 * <pre>
 * Bytes, format 176, big-endian:
 *   0 format (u8)   1 meaning, a hash (i64)   9 numbers (i32)   13 which of them are not 0 (a bit
 *   each, of 8 a byte), then these (f64)
 * </pre>
 */
public final class SplitBlock extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = (byte) 176;

  /** Above the sums of 32 pairs of levels and 16 matched variables. */
  private static final int MOST_NUMBERS = 1 << 16;

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
    int count = bytes.i32(values.length);
    bytes.check(count >= 0 && count <= MOST_NUMBERS, "the count of numbers is", count);
    values = bytes.room(values, count);
    byte[] notZero = new byte[(count + Byte.SIZE - 1) / Byte.SIZE];
    for (int at = 0; at < notZero.length; at++) {
      int first = at * Byte.SIZE;
      int ones = 0;
      for (int i = first; i < Math.min(count, first + Byte.SIZE); i++) {
        ones |= Double.doubleToRawLongBits(values[i]) == 0 ? 0 : 1 << (i - first);
      }
      notZero[at] = (byte) ones;
    }
    bytes.bytes(notZero);
    for (int at = 0; at < notZero.length; at++) {
      for (int ones = Byte.toUnsignedInt(notZero[at]); ones != 0; ones &= ones - 1) {
        int i = at * Byte.SIZE + Integer.numberOfTrailingZeros(ones);
        bytes.check(i < count, "a number that is not 0 is", i);
        values[i] = bytes.f64(values[i]);
      }
    }
  }
}
