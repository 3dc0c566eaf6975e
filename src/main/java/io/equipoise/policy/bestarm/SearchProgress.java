package io.equipoise.policy.bestarm;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import java.util.BitSet;

/**
 * Keeps how far an experiment has come: all that it remembers but for its sums and its pending
 * decisions. Mutable; one key's events change it in turn.
 *
 * <pre>
 * Bytes, format 96, big-endian:
 *   0 format (u8)   1 flags (u8; bit 0: over, bit 1: the served arm was certified fair)
 *   2 served arm (i32)   6 decisions (i64)  14 pulls (i64)  22 cost spent (f64)
 *  30 length of remaining in bytes (i32), remaining (bit k of byte k/8: arm k is left)
 *     open phase ({@link OpenPhase})
 * </pre>
 */
final class SearchProgress extends Stored {
  static final byte FORMAT = 96;
  static final int FLAGS_AT = 1;
  static final int PULLS_AT = 14;
  static final int COST_AT = 22;
  static final int OVER = 1;

  private static final int CERTIFIED = 2;
  static final int HEADER_BYTES = 34;

  OpenPhase open;
  BitSet remaining;
  boolean isOver;
  boolean isCertified;
  int served;
  long decisions;
  long pulls;
  double costSpent;

  SearchProgress(OpenPhase open, BitSet remaining, int served) {
    this.open = open;
    this.remaining = remaining;
    this.served = served;
  }

  /** Makes the progress of an experiment, to be read. */
  SearchProgress(Design design) {
    this(new OpenPhase(design), new BitSet(), 0);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(FORMAT);
    int flags = bytes.i8((isOver ? OVER : 0) | (isCertified ? CERTIFIED : 0));
    bytes.check((flags & ~(OVER | CERTIFIED)) == 0, "unknown flags", flags);
    isOver = (flags & OVER) != 0;
    isCertified = (flags & CERTIFIED) != 0;
    int arms = open.arms();
    served = bytes.i32(served);
    bytes.check(served >= 0 && served < arms, "an experiment serves arm", served);
    decisions = bytes.i64(decisions);
    pulls = bytes.i64(pulls);
    costSpent = bytes.f64(costSpent);
    int length = bytes.count((remaining.length() + Byte.SIZE - 1) / Byte.SIZE, 1);
    remaining = bytes.bits(remaining, length, arms);
    bytes.part(open);
  }
}
