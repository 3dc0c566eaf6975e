package io.equipoise.bandit.csr;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * All that an experiment remembers but for its pending decisions. Mutable; one key's events change
 * it in turn.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 flags (u8; bit 0: over, bit 1: sums are bins)   2 served arm (i32)
 *   6 decisions (i64)  14 pulls (i64)  22 cost spent (f64)
 *  30 length of remaining in bytes (i32), remaining (bit k of byte k/8: arm k is left)
 *     open phase ({@link OpenPhase})   sums ({@link CellCounts} or {@link PrefixBins})
 * </pre>
 */
public final class ExperimentState {
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 34;
  private static final int OVER = 1;
  private static final int BINS = 2;

  final SampleSums sums;
  OpenPhase open;
  BitSet remaining;
  boolean isOver;
  int served;
  long decisions;
  long pulls;
  double costSpent;

  ExperimentState(OpenPhase open, BitSet remaining, SampleSums sums, int served) {
    this.open = open;
    this.remaining = remaining;
    this.sums = sums;
    this.served = served;
  }

  /** Says whether the experiment has ended. */
  public boolean isOver() {
    return isOver;
  }

  /** Returns the arm that is served once the experiment is over; the incumbent before. */
  public int served() {
    return served;
  }

  /** Returns the phase that takes pulls, or the one that ended the experiment. */
  public Phase phase() {
    return open.phase();
  }

  /** Returns the arms that are left, a copy. */
  public BitSet remaining() {
    return (BitSet) remaining.clone();
  }

  /** Returns how many samples were taken. */
  public long pulls() {
    return pulls;
  }

  /** Returns what they cost. */
  public double costSpent() {
    return costSpent;
  }

  /** Returns how many bytes {@link #appendTo} writes. */
  public int byteLength() {
    return HEADER_BYTES + remaining.toByteArray().length + open.byteLength() + sums.byteLength();
  }

  /** Writes the layout above; equal states write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    byte[] left = remaining.toByteArray();
    int flags = (isOver ? OVER : 0) | (sums instanceof PrefixBins ? BINS : 0);
    out.put(VERSION).put((byte) flags).putInt(served).putLong(decisions).putLong(pulls);
    out.putDouble(costSpent).putInt(left.length).put(left);
    open.appendTo(out);
    sums.appendTo(out);
  }

  /**
   * Reads what {@link #appendTo} wrote for the same experiment; a length that cannot be is refused
   * before allocation.
   */
  public static ExperimentState readFrom(ByteBuffer in, Design design) {
    if (in.remaining() < HEADER_BYTES) {
      throw new IllegalArgumentException("an experiment's state in " + in.remaining() + " bytes");
    }
    byte version = in.get();
    int flags = in.get();
    if (version != VERSION || (flags & ~(OVER | BINS)) != 0) {
      throw new IllegalArgumentException(
          "an experiment's state of version " + version + ", flags " + flags);
    }
    int served = in.getInt();
    long decisions = in.getLong();
    long pulls = in.getLong();
    double costSpent = in.getDouble();
    int length = in.getInt();
    if (length < 0 || length > (design.model().arms() + 7) / 8 || length > in.remaining()) {
      throw new IllegalArgumentException(
          length + " bytes of arms for " + design.model().arms() + " arms");
    }
    byte[] left = new byte[length];
    in.get(left);
    OpenPhase open = OpenPhase.readFrom(in, design);
    SampleSums sums =
        (flags & BINS) == 0
            ? CellCounts.readFrom(in, design.channels())
            : PrefixBins.readFrom(in, design.channels(), design.greatestPhase());
    ExperimentState state = new ExperimentState(open, BitSet.valueOf(left), sums, served);
    state.isOver = (flags & OVER) != 0;
    state.decisions = decisions;
    state.pulls = pulls;
    state.costSpent = costSpent;
    return state;
  }
}
