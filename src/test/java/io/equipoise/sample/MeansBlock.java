package io.equipoise.sample;

import io.equipoise.policy.StateBlock;
import java.nio.ByteBuffer;

/**
 * The rewards of every arm in one cell.
 *
 * <pre>
 *   0 format (u8)   1 arms (i32)   5 for each arm: rewards (i64), their sum (f64)
 * </pre>
 */
final class MeansBlock implements StateBlock {
  static final int FORMAT = 192;

  private static final int HEADER = 1 + Integer.BYTES;

  private final long[] counts;
  private final double[] sums;

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

  static int byteLength(int arms) {
    return HEADER + arms * (Long.BYTES + Double.BYTES);
  }

  static MeansBlock readFrom(ByteBuffer in) {
    byte format = in.get();
    int arms = in.getInt();
    if (Byte.toUnsignedInt(format) != FORMAT
        || arms < 1
        || in.remaining() != byteLength(arms) - HEADER) {
      throw new IllegalArgumentException("no means of " + arms + " arms");
    }
    MeansBlock block = new MeansBlock(arms);
    for (int arm = 0; arm < arms; arm++) {
      block.counts[arm] = in.getLong();
      block.sums[arm] = in.getDouble();
    }
    return block;
  }

  @Override
  public MeansBlock copy() {
    return new MeansBlock(counts.clone(), sums.clone());
  }

  @Override
  public int byteLength() {
    return byteLength(counts.length);
  }

  @Override
  public void appendTo(ByteBuffer out) {
    out.put((byte) FORMAT).putInt(counts.length);
    for (int arm = 0; arm < counts.length; arm++) {
      out.putLong(counts[arm]).putDouble(sums[arm]);
    }
  }
}
