package io.equipoise.policy.logistic;

import io.equipoise.evidence.LogMeanExp;
import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.constraint.DeltaShares;

/**
 * Bounds by matched pairs what the higher of two levels adds to the log odds of an arm's rewards, l
 * (docs/math/weighted-sums.md#matched-pairs). Mutable. The counts, the halves, anchor and threshold
 * are state; the number of open halves is derived from the halves. The ends of l are stored too,
 * because sticky ones never widen; they are valid after every change.
 *
 * <p>In a stratum, people who are alike but for the level, the first reward is an open half. The
 * next one of the other level closes it to a pair. Of D pairs with two different rewards A have the
 * 1 at the higher level: whatever the stratum's own log odds, that is a coin with g(l). The wealth
 * against l &gt;= l0 is the mean over three alternatives q below q0 = g(l0) of
 *
 * <pre>
 * (q/q0)^A ((1-q)/(1-q0))^(D-A) min(q/q0, (1-q)/(1-q0))^O
 * </pre>
 *
 * <p>The policy may close lucky halves only, so O open ones are charged the least that they can
 * still earn. Where q0 &gt;= (A+O)/(D+O) the wealth rises with l0: the least l0 that it refutes
 * bounds l from above at all times at once. By symmetry -l is bounded likewise.
 *
 * <pre>
 * Bytes, big-endian:
 *   0 strata (i32)   4 D, A (i64)  20 anchor, threshold, ends of l (4 x f64)
 *  52 anchors until now (i32)
 *  56 open halves (u8 a stratum: 0 none, else 1 + 2 at the higher level + the reward)
 * </pre>
 */
final class PairTest extends Stored {
  /** The alternatives, as shares of the anchor. */
  private static final double[] SHARES = {0, 0.4, -0.4};

  private static final double GREATEST_SHARE = 0.4;
  private static final double OTHER = 2;

  /** No end of l but infinity is larger. */
  private static final double LARGEST = 40;

  private static final int HALVINGS = 44;

  /** An open half at the higher level with a reward of 1. */
  private static final byte LAST_HALF = 4;

  /** The bytes of a test of one stratum. */
  static final int LEAST_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES + 4 * Double.BYTES + 1;

  private byte[] halves;
  private int open;
  private long discordant;
  private long highs;
  private double anchor;
  private double threshold;
  private int anchors;
  private double lower = Double.NEGATIVE_INFINITY;
  private double upper = Double.POSITIVE_INFINITY;

  /** Starts without a reward. */
  PairTest(int strata) {
    halves = new byte[strata];
  }

  /** Returns the lower end of l. */
  double lower() {
    return lower;
  }

  /** Returns the upper end of l. */
  double upper() {
    return upper;
  }

  /** Returns D, A and O. */
  long[] counts() {
    return new long[] {discordant, highs, open};
  }

  /**
   * Goes on with an anchor, the l that tau allows at even odds, and a threshold of the log wealth
   * without what anchors share. Only an anchor {@value #OTHER} times as large or small replaces the
   * one before: it is another test, and has a share of delta of its own. Where something is
   * replaced the ends are computed again from the counts.
   */
  void adopt(double nextAnchor, double nextThreshold) {
    double times = nextAnchor / anchor;
    boolean isOther = times > OTHER || times * OTHER < 1;
    if (isOther) {
      anchor = nextAnchor;
      anchors++;
    }
    double shared = nextThreshold - StrictMath.log(DeltaShares.share(anchors - 1, 1));
    if (shared != threshold || isOther) {
      threshold = shared;
      narrow(false);
    }
  }

  /** Takes the reward of a person of one of the levels; a second one of a level is ignored. */
  void observe(int stratum, boolean isHigher, boolean isOne, boolean isSticky) {
    byte own = (byte) (1 + (isHigher ? 2 : 0) + (isOne ? 1 : 0));
    byte half = halves[stratum];
    if (half == 0) {
      halves[stratum] = own;
      open++;
    } else if (half > 2 == isHigher) {
      return;
    } else {
      halves[stratum] = 0;
      open--;
      if ((half + own) % 2 != 0) {
        discordant++;
        highs += isHigher == isOne ? 1 : 0;
      }
    }
    narrow(isSticky);
  }

  private void narrow(boolean isSticky) {
    upper = end(highs, isSticky ? upper : Double.POSITIVE_INFINITY);
    lower = -end(discordant - highs, isSticky ? -lower : Double.POSITIVE_INFINITY);
  }

  /** Returns the least l0 that is refuted, at most as large as the end before. */
  private double end(long ones, double before) {
    return end((double) discordant, (double) ones, open, anchor, threshold, before);
  }

  /**
   * Returns the least l0 that so many pairs refute.
   *
   * @param pairs D
   * @param ones A
   * @param open O
   * @param before a larger one is not returned
   */
  static double end(
      double pairs, double ones, double open, double anchor, double threshold, double before) {
    double share = (ones + open) / (pairs + open);
    double odds = StrictMath.log(share) - StrictMath.log1p(-share);
    double inner = Math.max(GREATEST_SHARE * anchor, odds);
    double outer = Math.min(LARGEST, before);
    if (!(inner < outer) || logWealth(pairs, ones, open, anchor, outer) < threshold) {
      return before;
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (inner + outer) / 2;
      if (logWealth(pairs, ones, open, anchor, middle) < threshold) {
        inner = middle;
      } else {
        outer = middle;
      }
    }
    return outer;
  }

  /**
   * Returns the log wealth against l &gt;= l0.
   *
   * @param pairs D
   * @param ones A
   * @param open O
   */
  static double logWealth(double pairs, double ones, double open, double anchor, double l0) {
    double[] logs = new double[SHARES.length];
    for (int k = 0; k < logs.length; k++) {
      double l = SHARES[k] * anchor;
      double ofOne = Logistic.softplus(-l0) - Logistic.softplus(-l);
      double ofZero = Logistic.softplus(l0) - Logistic.softplus(l);
      logs[k] = ones * ofOne + (pairs - ones) * ofZero + open * Math.min(ofOne, ofZero);
    }
    return LogMeanExp.of(logs);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    int strata = bytes.count(halves.length, 1);
    bytes.check(strata >= 1, "strata", strata);
    discordant = bytes.i64(discordant);
    highs = bytes.i64(highs);
    anchor = bytes.f64(anchor);
    threshold = bytes.f64(threshold);
    lower = bytes.f64(lower);
    upper = bytes.f64(upper);
    anchors = bytes.i32(anchors);
    bytes.check(anchors >= 0, "anchors", anchors);
    halves = bytes.isReading() ? new byte[strata] : halves;
    bytes.bytes(halves);
    if (bytes.isReading()) {
      open = 0;
      for (byte half : halves) {
        bytes.check(half >= 0 && half <= LAST_HALF, "an open half of", half);
        open += half == 0 ? 0 : 1;
      }
    }
  }
}
