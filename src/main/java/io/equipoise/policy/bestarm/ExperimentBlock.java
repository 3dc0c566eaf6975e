package io.equipoise.policy.bestarm;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.Stored;
import io.equipoise.policy.PhasedPolicy;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stores one of the two parts of an experiment's state: its progress, which every decision changes,
 * or its sums, which every sample changes.
 *
 * <p>What the bytes mean depends on the experiment's design, which whoever restores a checkpoint
 * does not know. So a restored block keeps its bytes until it is asked for its value.
 *
 * <pre>
 *   96 {@link SearchProgress}   97 {@link CellCounts}   98 {@link PrefixBins}
 * </pre>
 */
public final class ExperimentBlock extends PhasedPolicy.Progress {
  /** The first format of this class; codes up to 111 are kept for others of it. */
  public static final byte FIRST_FORMAT = SearchProgress.FORMAT;

  /** The last format in use. */
  public static final byte LAST_FORMAT = PrefixBins.FORMAT;

  /** As it was read, until the value is asked for. */
  private byte @Nullable [] bytes;

  private @Nullable SearchProgress searchProgress;
  private @Nullable SampleSums sums;

  /** Makes a block without a value, to be read. */
  public ExperimentBlock() {
    this(null, null, null);
  }

  private ExperimentBlock(
      byte @Nullable [] bytes, @Nullable SearchProgress searchProgress, @Nullable SampleSums sums) {
    this.bytes = bytes;
    this.searchProgress = searchProgress;
    this.sums = sums;
  }

  static ExperimentBlock of(SearchProgress searchProgress) {
    return new ExperimentBlock(null, searchProgress, null);
  }

  static ExperimentBlock of(SampleSums sums) {
    return new ExperimentBlock(null, null, sums);
  }

  /** Returns the progress, to be changed. */
  SearchProgress progress(Design design) {
    if (searchProgress == null) {
      searchProgress = read(new SearchProgress(design));
    }
    return searchProgress;
  }

  /** Returns the sums, to be changed. */
  SampleSums sums(Design design) {
    if (sums == null) {
      sums = read(SampleSums.empty(written()[0], design));
    }
    return sums;
  }

  private <T extends Stored> T read(T empty) {
    try {
      T value = LayoutReader.read(written(), empty);
      bytes = null;
      return value;
    } catch (LayoutException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public boolean isRunning() {
    if (searchProgress != null) {
      return !searchProgress.isOver;
    }
    byte[] raw = bytes;
    return raw != null
        && raw[0] == SearchProgress.FORMAT
        && (raw[SearchProgress.FLAGS_AT] & SearchProgress.OVER) == 0;
  }

  /** This must be the progress. */
  @Override
  public long samples() {
    return searchProgress != null
        ? searchProgress.pulls
        : ByteBuffer.wrap(written()).getLong(SearchProgress.PULLS_AT);
  }

  /** This must be the progress. */
  @Override
  public double costSpent() {
    return searchProgress != null
        ? searchProgress.costSpent
        : ByteBuffer.wrap(written()).getDouble(SearchProgress.COST_AT);
  }

  /** This must be the progress. */
  @Override
  public void abort() {
    if (searchProgress != null) {
      searchProgress.isOver = true;
    } else {
      written()[SearchProgress.FLAGS_AT] |= SearchProgress.OVER;
    }
  }

  /** Returns what is written: the bytes as they were read if nobody has asked for the value. */
  private byte[] written() {
    return bytes == null ? toBytes() : bytes;
  }

  @Override
  public ExperimentBlock copy() {
    return new ExperimentBlock(written().clone(), null, null);
  }

  @Override
  protected void layout(Layout layout) throws LayoutException {
    if (searchProgress != null) {
      layout.part(searchProgress);
    } else if (sums != null) {
      layout.part(sums);
    } else {
      bytes = layout.rest(bytes == null ? new byte[0] : bytes);
      boolean isKnown = bytes.length > 0 && bytes[0] >= FIRST_FORMAT && bytes[0] <= LAST_FORMAT;
      layout.check(isKnown, "no block of an experiment in bytes", bytes.length);
      boolean isWhole =
          bytes[0] != SearchProgress.FORMAT || bytes.length >= SearchProgress.HEADER_BYTES;
      layout.check(isWhole, "an experiment's progress in bytes", bytes.length);
    }
  }
}
