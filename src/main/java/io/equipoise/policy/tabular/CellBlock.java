package io.equipoise.policy.tabular;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;

/**
 * Keeps the statistics of the cells that share the context part of W: number of observations, their
 * mean and the sum of squared deviations from it (Welford 1962). Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 1, big-endian:
 *   0 format (u8)    1 cells (i32)
 *   5 per cell: n (i64)  mean (f64)  m2 (f64)
 * </pre>
 */
public final class CellBlock extends StateBlock {
  /** The format of today; codes up to 15 are kept for others of this class. */
  public static final byte FORMAT = 1;

  private static final int CELL_BYTES = 3 * Long.BYTES;

  private long[] n;
  private double[] mean;
  private double[] m2;

  /** Makes a block without cells, to be read. */
  public CellBlock() {
    this(0);
  }

  /** Starts empty. */
  public CellBlock(int cells) {
    this(new long[cells], new double[cells], new double[cells]);
  }

  private CellBlock(long[] n, double[] mean, double[] m2) {
    this.n = n;
    this.mean = mean;
    this.m2 = m2;
  }

  /** Returns a block of cells with so many rewards each, all of one mean. */
  static CellBlock of(long[] n, double mean) {
    CellBlock block = new CellBlock(n.length);
    for (int cell = 0; cell < n.length; cell++) {
      block.n[cell] = n[cell];
      block.mean[cell] = n[cell] == 0 ? 0 : mean;
    }
    return block;
  }

  public int cells() {
    return n.length;
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
   */
  public void merge(CellBlock other) {
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
  }

  @Override
  public CellBlock copy() {
    return new CellBlock(n.clone(), mean.clone(), m2.clone());
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int cells = bytes.count(n.length, CELL_BYTES);
    n = bytes.room(n, cells);
    mean = bytes.room(mean, cells);
    m2 = bytes.room(m2, cells);
    for (int cell = 0; cell < cells; cell++) {
      n[cell] = bytes.i64(n[cell]);
      mean[cell] = bytes.f64(mean[cell]);
      m2[cell] = bytes.f64(m2[cell]);
    }
  }
}
