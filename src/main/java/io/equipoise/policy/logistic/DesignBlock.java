package io.equipoise.policy.logistic;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.features.FeaturePlaces;

/**
 * Keeps the design matrix of glm-ucb, V = c I + sum of x x' over decisions, and its inverse (n x n;
 * Filippi et al. 2010). The ridge c is the n that it started with. Mutable; {@link #copy} is deep.
 *
 * <pre>
 * Bytes, version 1, big-endian:
 *   0 version (u8)   1 n (i32)   5 decisions (i64)   13 c (f64)   21 V, V^-1 by rows (2 n^2 x f64)
 *   . where features left: log of their pivots, each by c (f64)  0 ((n + 1) x f64)  R (n^2 x f64)
 * </pre>
 */
public final class DesignBlock extends Stored {
  private static final byte VERSION = 1;
  private static final long REFRESH_EVERY = 1024;
  private static final double MAX_KAPPA = 1e100;

  private int n;
  private Curvature v;
  private double[] solved;
  private long decisions;

  /**
   * Makes a design without features, to be read.
   *
   * @param hasLost whether features left it
   */
  DesignBlock(boolean hasLost) {
    this(new Curvature(hasLost ? 1 : 0, 1, hasLost), 0, 0);
  }

  /** Returns whether features left. */
  boolean hasLost() {
    return v.hasLost();
  }

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
    double growth = v.logDet() - n * StrictMath.log(v.lambda);
    return kappa / 4 * Math.sqrt(2 * StrictMath.log(1 / alpha) + Math.max(0, growth))
        + Math.sqrt(v.lambda) * scale.s();
  }

  /** Returns sqrt(x' V^-1 x). */
  double deviation(double[] x) {
    return Math.sqrt(v.variance(x));
  }

  public DesignBlock copy() {
    return new DesignBlock(v.copy(), n, decisions);
  }

  /**
   * Returns the design with more features, which were 0 in all decisions, and without those that
   * are gone. The ridge stays.
   */
  DesignBlock spread(FeaturePlaces to) {
    return new DesignBlock(v.spread(to, new double[n]), to.among(), decisions);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    bytes.begin(VERSION);
    n = bytes.i32(n);
    decisions = bytes.i64(decisions);
    double ridge = bytes.f64(v.lambda);
    bytes.check(n >= 1 && ridge > 0, "no ridge, or dimension", n);
    bytes.fits(Curvature.byteLength(n));
    if (bytes.isReading()) {
      v = new Curvature(n, ridge, v.hasLost());
      solved = new double[n];
    }
    v.layout(bytes);
  }
}
