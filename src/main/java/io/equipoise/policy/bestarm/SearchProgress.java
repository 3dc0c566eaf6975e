package io.equipoise.policy.bestarm;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * How far an experiment has come: all that it remembers but for its sums and its pending decisions.
 * Mutable; one key's events change it in turn.
 *
 * <pre>
 * Bytes, format 96, big-endian:
 *   0 format (u8)   1 flags (u8; bit 0: over, bit 1: the served arm was certified fair)
 *   2 served arm (i32)   6 decisions (i64)  14 pulls (i64)  22 cost spent (f64)
 *  30 length of remaining in bytes (i32), remaining (bit k of byte k/8: arm k is left)
 *     open phase ({@link OpenPhase})
 * </pre>
 */
final class SearchProgress {
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

  int byteLength() {
    return HEADER_BYTES + remaining.toByteArray().length + open.byteLength();
  }

  void appendTo(ByteBuffer out) {
    byte[] left = remaining.toByteArray();
    int flags = (isOver ? OVER : 0) | (isCertified ? CERTIFIED : 0);
    out.put(FORMAT).put((byte) flags).putInt(served).putLong(decisions).putLong(pulls);
    out.putDouble(costSpent).putInt(left.length).put(left);
    open.appendTo(out);
  }

  /** Reads what {@link #appendTo} wrote for the same experiment. */
  static SearchProgress readFrom(ByteBuffer in, Design design) {
    if (in.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException("an experiment's state in " + in.remaining() + " bytes");
    }
    byte format = in.get();
    int flags = in.get();
    if (format != FORMAT || (flags & ~(OVER | CERTIFIED)) != 0) {
      throw new IllegalArgumentException(
          "an experiment's state of format " + format + ", flags " + flags);
    }
    int served = in.getInt();
    long decisions = in.getLong();
    long pulls = in.getLong();
    double costSpent = in.getDouble();
    int length = in.getInt();
    int arms = design.model().arms();
    if (length < 0 || length > (arms + 7) / 8 || length > in.remaining()) {
      throw new IllegalArgumentException(length + " bytes of arms for " + arms + " arms");
    }
    byte[] left = new byte[length];
    in.get(left);
    BitSet remaining = BitSet.valueOf(left);
    if (served < 0 || served >= arms || remaining.length() > arms) {
      throw new IllegalArgumentException("arm " + served + " and " + remaining + " of " + arms);
    }
    SearchProgress read = new SearchProgress(OpenPhase.readFrom(in, design), remaining, served);
    read.isOver = (flags & OVER) != 0;
    read.isCertified = (flags & CERTIFIED) != 0;
    read.decisions = decisions;
    read.pulls = pulls;
    read.costSpent = costSpent;
    return read;
  }
}
