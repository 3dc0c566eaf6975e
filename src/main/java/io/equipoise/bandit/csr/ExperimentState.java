package io.equipoise.bandit.csr;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * All that an experiment remembers but for its pending decisions. Mutable; one key's events change
 * it in turn.
 *
 * <p>Its bytes are those of {@link Progress}, then those of its sums ({@link CellCounts} or {@link
 * PrefixBins}); the first byte of either says its format.
 */
public final class ExperimentState {
  final Progress progress;
  final SampleSums sums;

  ExperimentState(Progress progress, SampleSums sums) {
    this.progress = progress;
    this.sums = sums;
  }

  /** Says whether the experiment has ended. */
  public boolean isOver() {
    return progress.isOver;
  }

  /** Returns the arm that is served once the experiment is over; the incumbent before. */
  public int served() {
    return progress.served;
  }

  /** Returns the phase that takes pulls, or the one that ended the experiment. */
  public Phase phase() {
    return progress.open.phase();
  }

  /** Returns the arms that are left, a copy. */
  public BitSet remaining() {
    return (BitSet) progress.remaining.clone();
  }

  /** Returns how many samples were taken. */
  public long pulls() {
    return progress.pulls;
  }

  /** Returns what they cost. */
  public double costSpent() {
    return progress.costSpent;
  }

  /** Returns how many bytes {@link #appendTo} writes. */
  public int byteLength() {
    return progress.byteLength() + sums.byteLength();
  }

  /** Writes the layout above; equal states write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    progress.appendTo(out);
    sums.appendTo(out);
  }

  /**
   * Reads what {@link #appendTo} wrote for the same experiment; a length that cannot be is refused
   * before allocation.
   */
  public static ExperimentState readFrom(ByteBuffer in, Design design) {
    return new ExperimentState(Progress.readFrom(in, design), SampleSums.readFrom(in, design));
  }
}
