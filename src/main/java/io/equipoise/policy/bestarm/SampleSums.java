package io.equipoise.policy.bestarm;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the statistics of samples, bounded in memory, from which every estimate of every phase
 * comes.
 *
 * <p>Two kinds: {@link CellCounts} for discrete cells and {@link PrefixBins} for any V.
 */
abstract sealed class SampleSums extends Stored permits CellCounts, PrefixBins {
  /**
   * Adds one sample that arrived.
   *
   * @param type the number of its {@link PullType}
   * @param group {@link CsrModel#S}, {@link CsrModel#S_PRIME} or {@link CsrModel#UNKNOWN_GROUP}
   * @param y its reward in [0, 1]
   */
  abstract void add(int type, int group, int arm, int z, int v, double y);

  /** Returns how many samples of a type are in the sums. */
  abstract long arrived(int type);

  /** Forgets all samples: a V1 search does so at the start of a phase. */
  abstract void clear();

  /** Returns how many bytes {@link #toBytes} returns at most, whatever comes. */
  abstract long greatestLength(Design design);

  /** Makes sums of an experiment, to be read; the format says the kind. */
  static SampleSums empty(byte format, Design design) {
    return switch (format) {
      case CellCounts.FORMAT -> new CellCounts(design.channels());
      case PrefixBins.FORMAT -> new PrefixBins(design.channels(), design.greatestPhase());
      default -> throw new IllegalArgumentException("no sums have the format " + format);
    };
  }

  /** Returns a channel's estimates for some arms with the clip of phase l. */
  abstract Ipw evaluate(int channel, int l, BitSet arms);

  /** Returns a channel's sums for one target arm without a clip. */
  abstract Moments moments(int channel, int target);

  /** Returns how many rows there are. */
  static int present(@Nullable Object[] rows) {
    return (int) Arrays.stream(rows).filter(Objects::nonNull).count();
  }

  /** Writes or reads the place of the row after another one. */
  static int row(Layout bytes, @Nullable Object[] rows, int before) throws LayoutException {
    int next = before + 1;
    while (!bytes.isReading() && rows[next] == null) {
      next++;
    }
    int at = bytes.i32(next);
    bytes.check(at > before && at < rows.length, "no row at", at);
    return at;
  }
}
