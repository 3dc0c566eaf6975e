package io.equipoise.policy.constraint;

import io.equipoise.policy.features.FeaturePlaces;
import java.nio.ByteBuffer;
import org.ejml.data.DMatrixRMaj;

/**
 * Keeps what forced exploration remembers: the faded sum G of outer products of the effects'
 * gradients that were wanted but undecided (n x n), the share of that need which ordinary play
 * removes, and how often exploration took over. Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 n (i32)   5 playGain (f64)   13 explored (i64)   21 G, by rows (n x n f64)
 * </pre>
 */
public final class OverlapDeficit {
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 21;

  private final DMatrixRMaj g;
  private double playGain;
  private long explored;

  /** Starts without a need, in n dimensions. */
  public OverlapDeficit(int n) {
    g = new DMatrixRMaj(n, n);
  }

  public int dimension() {
    return g.numRows;
  }

  /** Returns the running share of the need that one decision of ordinary play removes. */
  public double playGain() {
    return playGain;
  }

  /** Returns how many decisions were exploration. */
  public long explored() {
    return explored;
  }

  DMatrixRMaj g() {
    return g;
  }

  void playGain(double value) {
    playGain = value;
  }

  void countExplored() {
    explored++;
  }

  /** Starts without a need; how often exploration took over is bounded over all decisions. */
  public OverlapDeficit startedAnew() {
    OverlapDeficit next = new OverlapDeficit(g.numRows);
    next.explored = explored;
    return next;
  }

  /** Returns the need with more features, in which no effect had a gradient. */
  public OverlapDeficit spread(FeaturePlaces to) {
    OverlapDeficit wide = new OverlapDeficit(to.among());
    for (int i = 0; i < g.numRows; i++) {
      for (int j = 0; j < g.numRows; j++) {
        wide.g.unsafe_set(to.of(i), to.of(j), g.unsafe_get(i, j));
      }
    }
    wide.playGain = playGain;
    wide.explored = explored;
    return wide;
  }

  public OverlapDeficit copy() {
    OverlapDeficit copy = new OverlapDeficit(g.numRows);
    copy.g.setTo(g);
    copy.playGain = playGain;
    copy.explored = explored;
    return copy;
  }

  public int byteLength() {
    return HEADER_BYTES + Double.BYTES * g.getNumElements();
  }

  /** Writes the layout above; equal blocks write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    out.put(VERSION).putInt(g.numRows).putDouble(playGain).putLong(explored);
    for (int i = 0; i < g.getNumElements(); i++) {
      out.putDouble(g.data[i]);
    }
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static OverlapDeficit readFrom(ByteBuffer in) {
    byte version = in.get();
    int n = in.getInt();
    double playGain = in.getDouble();
    long explored = in.getLong();
    if (version != VERSION || n < 0 || (long) n * n > in.remaining() / Double.BYTES) {
      throw new IllegalArgumentException(
          "need block of version " + version + " and dimension " + n);
    }
    OverlapDeficit block = new OverlapDeficit(n);
    block.playGain = playGain;
    block.explored = explored;
    for (int i = 0; i < block.g.getNumElements(); i++) {
      block.g.data[i] = in.getDouble();
    }
    return block;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OverlapDeficit block && bytes().equals(block.bytes());
  }

  @Override
  public int hashCode() {
    return bytes().hashCode();
  }

  private ByteBuffer bytes() {
    ByteBuffer bytes = ByteBuffer.allocate(byteLength());
    appendTo(bytes);
    return bytes.flip();
  }
}
