package io.equipoise.fairness;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;

/**
 * Raises an alarm at decisions with effects that the traffic cannot estimate: it rings after
 * {@value #WINDOW} decisions if more than a tenth of the last {@value #WINDOW} were NO_OVERLAP,
 * themselves or in the excluded candidate (docs/math/logistic.md#coverage). Mutable; {@link #copy}
 * is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 decisions (i64)   9 window, a bit per decision (16 x i64)
 * </pre>
 */
public final class OverlapAlarm extends Stored {
  /** Number of decisions in the window. */
  public static final int WINDOW = 1000;

  private static final byte VERSION = 1;
  private static final int WORDS = (WINDOW + Long.SIZE - 1) / Long.SIZE;
  private static final double SHARE = 0.1;

  private final long[] window = new long[WORDS];
  private long decisions;

  /** Adds one decision. */
  public void decided(boolean hasNoOverlap) {
    int place = (int) (decisions % WINDOW);
    long bit = 1L << (place % Long.SIZE);
    int word = place / Long.SIZE;
    window[word] = hasNoOverlap ? window[word] | bit : window[word] & ~bit;
    decisions++;
  }

  /** Returns the share of NO_OVERLAP decisions in the window; 0 before the first. */
  public double share() {
    int uncovered = 0;
    for (long word : window) {
      uncovered += Long.bitCount(word);
    }
    return decisions == 0 ? 0 : (double) uncovered / Math.min(decisions, WINDOW);
  }

  public boolean rings() {
    return decisions >= WINDOW && share() > SHARE;
  }

  public OverlapAlarm copy() {
    return copyInto(new OverlapAlarm());
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(VERSION);
    decisions = bytes.i64(decisions);
    bytes.check(decisions >= 0, "decisions", decisions);
    bytes.i64s(window);
  }
}
