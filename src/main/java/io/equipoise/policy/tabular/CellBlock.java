package io.equipoise.policy.tabular;

import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps the statistics of the cells that share the context part of W: number of observations, their
 * mean and the sum of squared deviations from it (Welford 1962). Mutable; {@link #copy} is deep.
 *
 * <p>A block may also keep {@value #SUMS} sums a cell for {@link EmpiricalBernsteinSequence}. They
 * depend on the order of the observations, so such a block does not merge.
 *
 * <pre>
 * Bytes, format 1, big-endian:
 *   0 format (u8)    1 flags (u8; bit 0: with sums)   2 cells (i32)
 *   6 per cell: n (i64)  mean (f64)  m2 (f64)  [sums (4 x f64)]
 * </pre>
 */
public final class CellBlock implements StateBlock {
  public static final int SUMS = 4;

  /** The format of today; codes up to 15 are kept for others of this class. */
  public static final byte FORMAT = 1;

  private static final int HEADER_BYTES = 6;

  private final long[] n;
  private final double[] mean;
  private final double[] m2;
  private final double[] sums;

  /** Starts empty; {@code withSums} if the spec's confidence is empirical-Bernstein. */
  public CellBlock(int cells, boolean withSums) {
    this(
        new long[cells],
        new double[cells],
        new double[cells],
        new double[withSums ? SUMS * cells : 0]);
  }

  private CellBlock(long[] n, double[] mean, double[] m2, double[] sums) {
    this.n = n;
    this.mean = mean;
    this.m2 = m2;
    this.sums = sums;
  }

  public int cells() {
    return n.length;
  }

  public boolean hasSums() {
    return sums.length > 0;
  }

  public long n(int cell) {
    return n[cell];
  }

  /** Returns the mean of a cell's rewards; 0 before the first. */
  public double mean(int cell) {
    return mean[cell];
  }

  public double m2(int cell) {
    return m2[cell];
  }

  public double sum(int cell, int which) {
    return sums[SUMS * cell + which];
  }

  void addToSum(int cell, int which, double value) {
    sums[SUMS * cell + which] += value;
  }

  /** Adds one reward. One that lies outside the range of means is taken as it is: no clipping. */
  public void observe(int cell, double reward) {
    n[cell]++;
    double before = reward - mean[cell];
    mean[cell] += before / n[cell];
    m2[cell] += before * (reward - mean[cell]);
  }

  /**
   * Adds the statistics of disjoint observations of the same cells (Chan et al. 1979). Equals the
   * block over the union up to rounding.
   *
   * @throws UnsupportedOperationException if a block keeps order-dependent sums
   */
  public void merge(CellBlock other) {
    if (hasSums() || other.hasSums()) {
      throw new UnsupportedOperationException(
          "empirical-Bernstein sums depend on the order of the observations and do not merge");
    }
    if (cells() != other.cells()) {
      throw new IllegalArgumentException(cells() + " cells cannot take " + other.cells());
    }
    for (int cell = 0; cell < n.length; cell++) {
      long both = n[cell] + other.n[cell];
      if (other.n[cell] > 0) {
        double apart = other.mean[cell] - mean[cell];
        double share = (double) other.n[cell] / both;
        mean[cell] += apart * share;
        m2[cell] += other.m2[cell] + apart * apart * n[cell] * share;
        n[cell] = both;
      }
    }
  }

  /** Takes over what another block keeps of one of its cells. */
  void take(int cell, CellBlock other, int otherCell) {
    n[cell] = other.n[otherCell];
    mean[cell] = other.mean[otherCell];
    m2[cell] = other.m2[otherCell];
    for (int which = 0; hasSums() && which < SUMS; which++) {
      sums[SUMS * cell + which] = other.sum(otherCell, which);
    }
  }

  @Override
  public CellBlock copy() {
    return new CellBlock(n.clone(), mean.clone(), m2.clone(), sums.clone());
  }

  @Override
  public int byteLength() {
    return HEADER_BYTES + n.length * cellBytes(hasSums());
  }

  private static int cellBytes(boolean withSums) {
    return Long.BYTES * (withSums ? 3 + SUMS : 3);
  }

  /** Writes the layout above; equal blocks write equal bytes. The buffer must be big-endian. */
  @Override
  public void appendTo(ByteBuffer out) {
    out.put(FORMAT).put((byte) (hasSums() ? 1 : 0)).putInt(n.length);
    for (int cell = 0; cell < n.length; cell++) {
      out.putLong(n[cell]).putDouble(mean[cell]).putDouble(m2[cell]);
      for (int which = 0; hasSums() && which < SUMS; which++) {
        out.putDouble(sum(cell, which));
      }
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static CellBlock readFrom(ByteBuffer in) {
    byte version = in.get();
    byte flags = in.get();
    int cells = in.getInt();
    boolean withSums = flags == 1;
    if (version != FORMAT
        || (flags & ~1) != 0
        || cells < 0
        || cells > in.remaining() / cellBytes(withSums)) {
      throw new IllegalArgumentException(
          String.format(
              "cell block of format %d, flags %d, %d cells in %d bytes",
              version, flags, cells, in.remaining()));
    }
    CellBlock block = new CellBlock(cells, withSums);
    for (int cell = 0; cell < cells; cell++) {
      block.n[cell] = in.getLong();
      block.mean[cell] = in.getDouble();
      block.m2[cell] = in.getDouble();
      for (int which = 0; withSums && which < SUMS; which++) {
        block.sums[SUMS * cell + which] = in.getDouble();
      }
    }
    return block;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CellBlock block
        && Arrays.equals(n, block.n)
        && Arrays.equals(mean, block.mean)
        && Arrays.equals(m2, block.m2)
        && Arrays.equals(sums, block.sums);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(n) + Arrays.hashCode(mean);
  }
}
