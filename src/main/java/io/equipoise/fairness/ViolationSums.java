package io.equipoise.fairness;

import java.nio.ByteBuffer;

/**
 * The running violations by all definitions, from a decision's largest excess over its threshold
 * (docs/math/logistic.md#coverage). Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 decisions (i64)   9 stage-wise, stage-wise of upper ends, signed (3 x f64)
 * </pre>
 */
public final class ViolationSums {
  private static final byte VERSION = 1;

  private long decisions;
  private double stageWise;
  private double stageWiseUpper;
  private double signed;

  /**
   * Adds one decision; a decision without effects is counted and adds nothing.
   *
   * @param excess of the estimated size over the threshold, negative within it
   * @param upperExcess of the size's upper end, likewise
   */
  public void decided(double excess, double upperExcess) {
    decisions++;
    if (excess > Double.NEGATIVE_INFINITY) {
      stageWise += Math.max(0, excess);
      stageWiseUpper += Math.max(0, upperExcess);
      signed += excess;
    }
  }

  /** Returns the number of decisions in the sums. */
  public long decisions() {
    return decisions;
  }

  /** Returns sum max(0, |estimate| - tau), an estimate of V. */
  public double stageWise() {
    return stageWise;
  }

  /** Returns sum max(0, high - tau), an upper bound of V while the intervals are valid. */
  public double stageWiseUpper() {
    return stageWiseUpper;
  }

  /** Returns sum (|estimate| - tau); the paper's proof bounds its positive part. */
  public double signed() {
    return signed;
  }

  public ViolationSums copy() {
    ViolationSums copy = new ViolationSums();
    copy.decisions = decisions;
    copy.stageWise = stageWise;
    copy.stageWiseUpper = stageWiseUpper;
    copy.signed = signed;
    return copy;
  }

  public int byteLength() {
    return 1 + Long.BYTES + 3 * Double.BYTES;
  }

  /** Writes the layout above; equal sums write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    out.put(VERSION).putLong(decisions);
    out.putDouble(stageWise).putDouble(stageWiseUpper).putDouble(signed);
  }

  /** Reads the output of {@link #appendTo}. */
  public static ViolationSums readFrom(ByteBuffer in) {
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalArgumentException("violation sums of version " + version);
    }
    ViolationSums sums = new ViolationSums();
    sums.decisions = in.getLong();
    sums.stageWise = in.getDouble();
    sums.stageWiseUpper = in.getDouble();
    sums.signed = in.getDouble();
    return sums;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ViolationSums sums && bytes().equals(sums.bytes());
  }

  @Override
  public int hashCode() {
    return bytes().hashCode();
  }

  private ByteBuffer bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(byteLength());
    appendTo(bytes);
    return bytes.flip();
  }
}
