package io.equipoise.policy.logistic;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import java.util.Arrays;

/**
 * Keeps the matched pairs of one arm: a {@link PairTest} for every two levels of an attribute, and
 * the rewards of every cell, the people who are alike in all that the features show. Mutable;
 * {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 65, big-endian:
 *   0 format (u8)   1 tests (i32)   5 cells (i32)   . [{@link PairTest}]
 *   . [rewards (i64), rewards of 1 (i64)] each cell
 * </pre>
 */
public final class PairsBlock extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = 65;

  private static final int CELL_BYTES = 2 * Long.BYTES;

  private PairTest[] tests;
  private long[] rewards;
  private long[] ones;

  /** Makes a block without pairs, to be read. */
  public PairsBlock() {
    this(0, 0);
  }

  private PairsBlock(int tests, int cells) {
    this.tests = new PairTest[tests];
    rewards = new long[cells];
    ones = new long[cells];
  }

  /** Starts without a reward. */
  static PairsBlock of(PairsPlan plan) {
    int[] strata = plan.strata();
    PairsBlock block = new PairsBlock(strata.length, plan.cells);
    Arrays.setAll(block.tests, test -> new PairTest(strata[test]));
    return block;
  }

  PairTest test(int pair) {
    return tests[pair];
  }

  long rewards(int cell) {
    return rewards[cell];
  }

  /** Returns how many of them are 1. */
  long ones(int cell) {
    return ones[cell];
  }

  void count(int cell, boolean isOne) {
    rewards[cell]++;
    ones[cell] += isOne ? 1 : 0;
  }

  @Override
  public PairsBlock copy() {
    return copyInto(new PairsBlock());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int count = bytes.i32(tests.length);
    int cells = bytes.i32(rewards.length);
    bytes.check(count >= 1 && cells >= 1, "no tests, or cells", cells);
    bytes.fits((long) count * PairTest.LEAST_BYTES + (long) cells * CELL_BYTES);
    if (bytes.isReading()) {
      tests = new PairTest[count];
      Arrays.setAll(tests, test -> new PairTest(1));
    }
    rewards = bytes.room(rewards, cells);
    ones = bytes.room(ones, cells);
    for (PairTest test : tests) {
      bytes.part(test);
    }
    for (int cell = 0; cell < cells; cell++) {
      rewards[cell] = bytes.i64(rewards[cell]);
      ones[cell] = bytes.i64(ones[cell]);
    }
  }
}
