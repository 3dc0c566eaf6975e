package io.equipoise.sample;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;

/**
 * The rewards of every arm in one cell.
 *
 * <pre>
 *   0 format (u8)   1 arms (i32)   5 for each arm: rewards (i64), their sum (f64)
 * </pre>
 */
final class MeansBlock extends StateBlock {
  static final int FORMAT = 192;

  private static final int ARM_BYTES = Long.BYTES + Double.BYTES;

  private long[] counts;
  private double[] sums;

  /** Makes a block without arms, to be read. */
  MeansBlock() {
    this(0);
  }

  MeansBlock(int arms) {
    this(new long[arms], new double[arms]);
  }

  private MeansBlock(long[] counts, double[] sums) {
    this.counts = counts;
    this.sums = sums;
  }

  /** Returns the mean reward of an arm, 0 before its first. */
  double mean(int arm) {
    return counts[arm] == 0 ? 0 : sums[arm] / counts[arm];
  }

  void add(int arm, double reward) {
    counts[arm]++;
    sums[arm] += reward;
  }

  @Override
  public MeansBlock copy() {
    return new MeansBlock(counts.clone(), sums.clone());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin((byte) FORMAT);
    int arms = bytes.count(counts.length, ARM_BYTES);
    bytes.check(arms >= 1, "arms", arms);
    counts = bytes.room(counts, arms);
    sums = bytes.room(sums, arms);
    for (int arm = 0; arm < arms; arm++) {
      counts[arm] = bytes.i64(counts[arm]);
      sums[arm] = bytes.f64(sums[arm]);
    }
  }
}
