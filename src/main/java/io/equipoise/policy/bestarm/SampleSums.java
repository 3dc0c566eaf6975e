package io.equipoise.policy.bestarm;

import java.nio.ByteBuffer;
import java.util.BitSet;

/**
 * The statistics of samples, bounded in memory, from which every estimate of every phase comes.
 *
 * <p>Two kinds: {@link CellCounts} for discrete cells and {@link PrefixBins} for any V.
 */
sealed interface SampleSums permits CellCounts, PrefixBins {
  /**
   * Adds one sample that arrived.
   *
   * @param type the number of its {@link PullType}
   * @param group {@link CsrModel#S}, {@link CsrModel#S_PRIME} or {@link CsrModel#UNKNOWN_GROUP}
   * @param y its reward in [0, 1]
   */
  void add(int type, int group, int arm, int z, int v, double y);

  /** Returns how many samples of a type are in the sums. */
  long arrived(int type);

  /** Forgets all samples: a V1 search does so at the start of a phase. */
  void clear();

  /** Returns how many bytes {@link #appendTo} writes. */
  int byteLength();

  /** Returns how many bytes {@link #appendTo} writes at most, whatever comes. */
  long greatestLength(Design design);

  /** Writes the state; equal states write equal bytes. The buffer must be big-endian. */
  void appendTo(ByteBuffer out);

  /** Reads what {@link #appendTo} wrote for the same experiment; the first byte says the kind. */
  static SampleSums readFrom(ByteBuffer in, Design design) {
    if (!in.hasRemaining()) {
      throw new IllegalArgumentException("sums of an experiment in no bytes");
    }
    byte format = in.get(in.position());
    return switch (format) {
      case CellCounts.FORMAT -> CellCounts.readFrom(in, design.channels());
      case PrefixBins.FORMAT -> PrefixBins.readFrom(in, design.channels(), design.greatestPhase());
      default -> throw new IllegalArgumentException("no sums have the format " + format);
    };
  }

  /** Returns a channel's estimates for some arms with the clip of phase l. */
  Ipw evaluate(int channel, int l, BitSet arms);

  /** Returns a channel's sums for one target arm without a clip. */
  Moments moments(int channel, int target);
}
