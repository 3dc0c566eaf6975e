package io.equipoise.policy.bestarm;

import io.equipoise.policy.PhasedPolicy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One of the two pieces of an experiment's state: its progress, which every decision changes, or
 * its sums, which every sample changes.
 *
 * <p>What the bytes mean depends on the experiment's design, which whoever restores a checkpoint
 * does not know. So a restored block keeps its bytes until it is asked for its value.
 *
 * <pre>
 *   96 {@link SearchProgress}   97 {@link CellCounts}   98 {@link PrefixBins}
 * </pre>
 */
public final class ExperimentBlock implements PhasedPolicy.Progress {
  /** The first format of this class; codes up to 111 are kept for others of it. */
  public static final byte FIRST_FORMAT = SearchProgress.FORMAT;

  /** The last format in use. */
  public static final byte LAST_FORMAT = PrefixBins.FORMAT;

  /** As it was read, until the value is asked for. */
  private byte @Nullable [] bytes;

  private @Nullable SearchProgress searchProgress;
  private @Nullable SampleSums sums;

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
      ByteBuffer in = ByteBuffer.wrap(written());
      searchProgress = SearchProgress.readFrom(in, design);
      close(in);
    }
    return searchProgress;
  }

  /** Returns the sums, to be changed. */
  SampleSums sums(Design design) {
    if (sums == null) {
      ByteBuffer in = ByteBuffer.wrap(written());
      sums = SampleSums.readFrom(in, design);
      close(in);
    }
    return sums;
  }

  private void close(ByteBuffer in) {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(
          in.remaining() + " bytes are left of an experiment's state");
    }
    bytes = null;
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
    if (bytes != null) {
      return bytes;
    }
    ByteBuffer out = ByteBuffer.allocate(byteLength());
    appendTo(out);
    return out.array();
  }

  @Override
  public ExperimentBlock copy() {
    return new ExperimentBlock(written().clone(), null, null);
  }

  @Override
  public int byteLength() {
    if (searchProgress != null) {
      return searchProgress.byteLength();
    }
    if (sums != null) {
      return sums.byteLength();
    }
    return written().length;
  }

  @Override
  public void appendTo(ByteBuffer out) {
    if (searchProgress != null) {
      searchProgress.appendTo(out);
    } else if (sums != null) {
      sums.appendTo(out);
    } else {
      out.put(written());
    }
  }

  /**
   * Reads what {@link #appendTo} wrote, to the end of the buffer; what it means is checked when it
   * is asked for.
   */
  public static ExperimentBlock readFrom(ByteBuffer in) {
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    if (bytes.length == 0 || bytes[0] < FIRST_FORMAT || bytes[0] > LAST_FORMAT) {
      throw new IllegalArgumentException("no block of an experiment in " + bytes.length + " bytes");
    }
    if (bytes[0] == SearchProgress.FORMAT && bytes.length < SearchProgress.HEADER_BYTES) {
      throw new IllegalArgumentException("an experiment's progress in " + bytes.length + " bytes");
    }
    return new ExperimentBlock(bytes, null, null);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExperimentBlock block && Arrays.equals(written(), block.written());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(written());
  }
}
