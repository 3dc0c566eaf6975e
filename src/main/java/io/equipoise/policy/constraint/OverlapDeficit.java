package io.equipoise.policy.constraint;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.features.FeaturePlaces;
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
public final class OverlapDeficit extends Stored {
  private static final byte VERSION = 1;

  private DMatrixRMaj g;
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

  /** Returns the need with more features, in which no effect had a gradient, without those gone. */
  public OverlapDeficit spread(FeaturePlaces to) {
    OverlapDeficit wide = new OverlapDeficit(to.among());
    for (int i = 0; i < g.numRows; i++) {
      for (int j = 0; j < g.numRows && !to.isGone(i); j++) {
        if (!to.isGone(j)) {
          wide.g.unsafe_set(to.of(i), to.of(j), g.unsafe_get(i, j));
        }
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

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(VERSION);
    int n = bytes.i32(g.numRows);
    playGain = bytes.f64(playGain);
    explored = bytes.i64(explored);
    bytes.check(n >= 0, "dimension", n);
    bytes.fits((long) n * n * Double.BYTES);
    g = bytes.isReading() ? new DMatrixRMaj(n, n) : g;
    bytes.f64s(g.data, 0, n * n);
  }
}
