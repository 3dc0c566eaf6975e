package io.equipoise.policy.logistic;

import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What matched pairs keep of one arm: a {@link PairTest} for every two levels of an attribute, and
 * the rewards of every cell, the people who are alike in all that the features show. Mutable;
 * {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 65, big-endian:
 *   0 format (u8)   1 tests (i32)   5 cells (i32)   . [{@link PairTest}]
 *   . [rewards (i64), rewards of 1 (i64)] each cell
 * </pre>
 */
public final class PairsBlock implements StateBlock {
  /** The format code. */
  public static final byte FORMAT = 65;

  private static final int HEADER_BYTES = 9;
  private static final int CELL_BYTES = 2 * Long.BYTES;

  private final PairTest[] tests;
  private final long[] rewards;
  private final long[] ones;

  private PairsBlock(int tests, int cells) {
    this.tests = new PairTest[tests];
    rewards = new long[cells];
    ones = new long[cells];
  }

  /** Starts without a reward. */
  static PairsBlock of(PairsPlan plan) {
    int[] strata = plan.strata();
    PairsBlock block = new PairsBlock(strata.length, plan.cells());
    Arrays.setAll(block.tests, test -> new PairTest(strata[test]));
    return block;
  }

  PairTest test(int pair) {
    return tests[pair];
  }

  /** Returns the number of rewards in a cell. */
  long rewards(int cell) {
    return rewards[cell];
  }

  /** Returns how many of them are 1. */
  long ones(int cell) {
    return ones[cell];
  }

  /** Counts a reward in its cell. */
  void count(int cell, boolean isOne) {
    rewards[cell]++;
    ones[cell] += isOne ? 1 : 0;
  }

  @Override
  public PairsBlock copy() {
    return readFrom(bytes());
  }

  private ByteBuffer bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(byteLength());
    appendTo(bytes);
    return bytes.flip();
  }

  @Override
  public int byteLength() {
    int length = HEADER_BYTES + rewards.length * CELL_BYTES;
    for (PairTest test : tests) {
      length += test.byteLength();
    }
    return length;
  }

  /** Returns the bytes of an arm's block under a plan. */
  static int byteLength(PairsPlan plan) {
    int tests = Arrays.stream(plan.strata()).map(PairTest::byteLength).sum();
    return HEADER_BYTES + tests + plan.cells() * CELL_BYTES;
  }

  /** Writes the layout above; equal blocks write equal bytes. The buffer must be big-endian. */
  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).putInt(tests.length).putInt(rewards.length);
    for (PairTest test : tests) {
      test.appendTo(out);
    }
    for (int cell = 0; cell < rewards.length; cell++) {
      out.putLong(rewards[cell]).putLong(ones[cell]);
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static PairsBlock readFrom(ByteBuffer in) {
    byte format = in.get();
    int tests = in.getInt();
    int cells = in.getInt();
    long least = (long) tests * PairTest.byteLength(1) + (long) cells * CELL_BYTES;
    if (format != FORMAT || tests < 1 || cells < 1 || least > in.remaining()) {
      throw new IllegalArgumentException(
          "pairs of format %d with %d tests and %d cells in %d bytes"
              .formatted(format, tests, cells, in.remaining()));
    }
    PairsBlock block = new PairsBlock(tests, cells);
    for (int test = 0; test < tests; test++) {
      block.tests[test] = PairTest.readFrom(in);
    }
    for (int cell = 0; cell < cells; cell++) {
      block.rewards[cell] = in.getLong();
      block.ones[cell] = in.getLong();
    }
    return block;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PairsBlock block && bytes().equals(block.bytes());
  }

  @Override
  public int hashCode() {
    return bytes().hashCode();
  }
}
