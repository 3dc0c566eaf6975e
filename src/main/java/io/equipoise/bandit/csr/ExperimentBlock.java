package io.equipoise.bandit.csr;

import io.equipoise.bandit.Block;
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
 *   96 {@link Progress}   97 {@link CellCounts}   98 {@link PrefixBins}
 * </pre>
 */
public final class ExperimentBlock implements Block {
  /** The first format of this class; codes up to 111 are kept for others of it. */
  public static final byte FIRST_FORMAT = Progress.FORMAT;

  /** The last format in use. */
  public static final byte LAST_FORMAT = PrefixBins.FORMAT;

  /** As it was read, until the value is asked for. */
  private byte @Nullable [] bytes;

  private @Nullable Progress progress;
  private @Nullable SampleSums sums;

  private ExperimentBlock(
      byte @Nullable [] bytes, @Nullable Progress progress, @Nullable SampleSums sums) {
    this.bytes = bytes;
    this.progress = progress;
    this.sums = sums;
  }

  static ExperimentBlock of(Progress progress) {
    return new ExperimentBlock(null, progress, null);
  }

  static ExperimentBlock of(SampleSums sums) {
    return new ExperimentBlock(null, null, sums);
  }

  /** Returns the progress, to be changed. */
  Progress progress(Design design) {
    if (progress == null) {
      ByteBuffer in = ByteBuffer.wrap(written());
      progress = Progress.readFrom(in, design);
      close(in);
    }
    return progress;
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

  /** Says whether this is the progress of an experiment that has not ended. */
  public boolean isRunning() {
    if (progress != null) {
      return !progress.isOver;
    }
    byte[] raw = bytes;
    return raw != null
        && raw[0] == Progress.FORMAT
        && (raw[Progress.FLAGS_AT] & Progress.OVER) == 0;
  }

  /** Returns how many samples were taken; this must be the progress. */
  public long pulls() {
    return progress != null
        ? progress.pulls
        : ByteBuffer.wrap(written()).getLong(Progress.PULLS_AT);
  }

  /** Returns what they cost; this must be the progress. */
  public double costSpent() {
    return progress != null
        ? progress.costSpent
        : ByteBuffer.wrap(written()).getDouble(Progress.COST_AT);
  }

  /** Ends the experiment without an answer: the incumbent is served. This must be the progress. */
  public void abort() {
    if (progress != null) {
      progress.isOver = true;
    } else {
      written()[Progress.FLAGS_AT] |= Progress.OVER;
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
    if (progress != null) {
      return progress.byteLength();
    }
    if (sums != null) {
      return sums.byteLength();
    }
    return written().length;
  }

  @Override
  public void appendTo(ByteBuffer out) {
    if (progress != null) {
      progress.appendTo(out);
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
    if (bytes[0] == Progress.FORMAT && bytes.length < Progress.HEADER_BYTES) {
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
