package io.equipoise.fairness;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Alarm for decisions with effects that the traffic cannot estimate. It rings after {@value
 * #WINDOW} decisions if more than a tenth of the last {@value #WINDOW} were NO_OVERLAP, themselves
 * or in the excluded candidate (docs/math/logistic.md#coverage). Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 decisions (i64)   9 window, a bit per decision (16 x i64)
 * </pre>
 */
public final class OverlapAlarm {
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
    OverlapAlarm copy = new OverlapAlarm();
    System.arraycopy(window, 0, copy.window, 0, WORDS);
    copy.decisions = decisions;
    return copy;
  }

  public int byteLength() {
    return 1 + Long.BYTES * (1 + WORDS);
  }

  /** Writes the layout above; equal alarms write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    out.put(VERSION).putLong(decisions);
    for (long word : window) {
      out.putLong(word);
    }
  }

  /** Reads the output of {@link #appendTo}. */
  public static OverlapAlarm readFrom(ByteBuffer in) {
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalArgumentException("overlap alarm of version " + version);
    }
    OverlapAlarm alarm = new OverlapAlarm();
    alarm.decisions = in.getLong();
    if (alarm.decisions < 0) {
      throw new IllegalArgumentException("overlap alarm of " + alarm.decisions + " decisions");
    }
    for (int word = 0; word < WORDS; word++) {
      alarm.window[word] = in.getLong();
    }
    return alarm;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OverlapAlarm alarm
        && decisions == alarm.decisions
        && Arrays.equals(window, alarm.window);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(decisions) + Arrays.hashCode(window);
  }
}
