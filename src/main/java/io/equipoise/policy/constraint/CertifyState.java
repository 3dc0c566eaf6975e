package io.equipoise.policy.constraint;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import java.util.Arrays;

/**
 * What {@link CertifyFirst} remembers. Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, format 49, big-endian:
 *   0 format (u8)   1 target arm, -1 without one (i32)   5 decisions (i64)  13 spent (i64)
 *  21 arms (i32)   . [mean prediction, mean width (2 x f64), times played (i64)] each
 * </pre>
 */
public final class CertifyState extends StateBlock {
  /** The format code. */
  public static final byte FORMAT = 49;

  private static final int ARM_BYTES = 3 * Double.BYTES;

  /** The weight of a new prediction in a running mean. */
  private static final double RATE = 1.0 / 200;

  int target = CertifyRound.NONE;
  long decisions;
  long spent;
  private double[] mean = new double[0];
  private double[] width = new double[0];
  private long[] played = new long[0];

  /** Starts as before the first decision. */
  public CertifyState() {}

  /** Returns the position of the target arm, or -1 where there is none. */
  public int target() {
    return target;
  }

  /** Returns how many decisions tried a target while some arm was certified. */
  public long spent() {
    return spent;
  }

  /** Counts what a model says of an arm for a person. */
  void note(int arm, double prediction, double predictedWidth) {
    if (arm >= mean.length) {
      int before = mean.length;
      mean = Arrays.copyOf(mean, arm + 1);
      width = Arrays.copyOf(width, arm + 1);
      played = Arrays.copyOf(played, arm + 1);
      Arrays.fill(mean, before, arm + 1, Double.NaN);
    }
    boolean isFirst = Double.isNaN(mean[arm]);
    mean[arm] = isFirst ? prediction : mean[arm] + RATE * (prediction - mean[arm]);
    width[arm] = isFirst ? predictedWidth : width[arm] + RATE * (predictedWidth - width[arm]);
  }

  /** Says whether something was noted of an arm. */
  public boolean isNoted(int arm) {
    return arm < mean.length && !Double.isNaN(mean[arm]);
  }

  /** Counts a decision for an arm that was noted. */
  void play(int arm) {
    played[arm]++;
  }

  /** Returns the running mean of the predictions of an arm. */
  public double mean(int arm) {
    return mean[arm];
  }

  double width(int arm) {
    return width[arm];
  }

  long played(int arm) {
    return played[arm];
  }

  /**
   * Returns the same for arms that have other positions.
   *
   * @param before by position, the arm's position until now; -1 for an arm that is new
   */
  public CertifyState reordered(int[] before) {
    CertifyState moved = new CertifyState();
    moved.decisions = decisions;
    moved.spent = spent;
    moved.mean = new double[before.length];
    moved.width = new double[before.length];
    moved.played = new long[before.length];
    Arrays.fill(moved.mean, Double.NaN);
    for (int arm = 0; arm < before.length; arm++) {
      if (before[arm] >= 0 && before[arm] < mean.length) {
        moved.mean[arm] = mean[before[arm]];
        moved.width[arm] = width[before[arm]];
        moved.played[arm] = played[before[arm]];
        moved.target = before[arm] == target ? arm : moved.target;
      }
    }
    return moved;
  }

  @Override
  public CertifyState copy() {
    CertifyState copy = new CertifyState();
    copy.target = target;
    copy.decisions = decisions;
    copy.spent = spent;
    copy.mean = mean.clone();
    copy.width = width.clone();
    copy.played = played.clone();
    return copy;
  }

  /** Returns the bytes for so many arms. */
  public static int byteLength(int arms) {
    return new CertifyState().reordered(new int[arms]).byteLength();
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    target = bytes.i32(target);
    decisions = bytes.i64(decisions);
    spent = bytes.i64(spent);
    int arms = bytes.count(mean.length, ARM_BYTES);
    mean = bytes.room(mean, arms);
    width = bytes.room(width, arms);
    played = bytes.room(played, arms);
    for (int arm = 0; arm < arms; arm++) {
      mean[arm] = bytes.f64(mean[arm]);
      width[arm] = bytes.f64(width[arm]);
      played[arm] = bytes.i64(played[arm]);
    }
  }
}
