package io.equipoise.fairness;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;

/**
 * Keeps the running violations by all definitions, from a decision's largest excess over its
 * threshold (docs/math/logistic.md#coverage). Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 decisions (i64)   9 stage-wise, stage-wise of upper ends, signed (3 x f64)
 * </pre>
 */
public final class ViolationSums extends Stored {
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

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(VERSION);
    decisions = bytes.i64(decisions);
    stageWise = bytes.f64(stageWise);
    stageWiseUpper = bytes.f64(stageWiseUpper);
    signed = bytes.f64(signed);
  }
}
