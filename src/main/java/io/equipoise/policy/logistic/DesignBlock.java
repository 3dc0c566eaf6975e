package io.equipoise.policy.logistic;

import io.equipoise.policy.features.FeaturePlaces;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps the design matrix of glm-ucb, V = c I + sum of x x' over decisions, and its inverse (n x n;
 * Filippi et al. 2010). The ridge c is the n that it started with. Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 n (i32)   5 decisions (i64)   13 c (f64)   21 V, V^-1 by rows (2 n^2 x f64)
 * </pre>
 */
public final class DesignBlock {
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 21;
  private static final long REFRESH_EVERY = 1024;
  private static final double MAX_KAPPA = 1e100;

  private final int n;
  private final Curvature v;
  private final double[] solved;
  private long decisions;

  /** Starts with V = n I. */
  public DesignBlock(int n) {
    this(new Curvature(n, n), n, 0);
  }

  private DesignBlock(Curvature v, int n, long decisions) {
    this.v = v;
    this.n = n;
    this.decisions = decisions;
    solved = new double[n];
  }

  /** Adds a chosen candidate's features. */
  void add(double[] x) {
    v.solve(x, solved);
    v.add(x, solved, Math.max(0, Vectors.dot(x, solved)), 1);
    decisions++;
    if (decisions % REFRESH_EVERY == 0) {
      v.refresh();
    }
  }

  /**
   * Returns the factor of the bonus: kappa/4 sqrt(2 log(1/alpha) + log det V - n log c) + sqrt(c) S
   * with kappa = 1 / g'(S), which is kept finite where g'(S) underflows.
   */
  double radius(LogisticScale scale, double alpha) {
    double kappa = Math.min(MAX_KAPPA, 1 / Logistic.slope(scale.s()));
    double growth = v.logDet() - n * StrictMath.log(v.lambda());
    return kappa / 4 * Math.sqrt(2 * StrictMath.log(1 / alpha) + Math.max(0, growth))
        + Math.sqrt(v.lambda()) * scale.s();
  }

  /** Returns sqrt(x' V^-1 x). */
  double deviation(double[] x) {
    return Math.sqrt(v.variance(x));
  }

  public DesignBlock copy() {
    return new DesignBlock(v.copy(), n, decisions);
  }

  /** Returns the design with more features, which were 0 in all decisions. The ridge stays. */
  DesignBlock spread(FeaturePlaces to) {
    return new DesignBlock(v.spread(to), to.among(), decisions);
  }

  public int byteLength() {
    return HEADER_BYTES + Curvature.byteLength(n);
  }

  /** Writes the layout above; equal blocks write equal bytes. The buffer must be big-endian. */
  public void appendTo(ByteBuffer out) {
    out.put(VERSION).putInt(n).putLong(decisions).putDouble(v.lambda());
    v.appendTo(out);
  }

  /** Reads what {@link #appendTo} wrote; a length that cannot be is refused before allocation. */
  public static DesignBlock readFrom(ByteBuffer in) {
    byte version = in.get();
    int n = in.getInt();
    long decisions = in.getLong();
    double ridge = in.getDouble();
    if (version != VERSION
        || n < 1
        || !(ridge > 0)
        || (long) n * n > in.remaining() / (2 * Double.BYTES)) {
      throw new IllegalArgumentException(
          "design block of version " + version + " and dimension " + n);
    }
    DesignBlock block = new DesignBlock(new Curvature(n, ridge), n, decisions);
    block.v.readFrom(in);
    return block;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DesignBlock block
        && decisions == block.decisions
        && v.hasSameValues(block.v);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(decisions) + Arrays.hashCode(v.matrix().data);
  }
}
