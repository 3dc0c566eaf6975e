package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.kernel.Kernels;
import io.equipoise.policy.kernel.Logarithm;
import java.util.List;

/**
 * Stores what a {@link Contrast} has learned: its direction c, the sums over its weighted rewards
 * (docs/math/weighted-sums.md#ridge), and the running ends of its interval. All of it is state.
 *
 * <pre>
 * Bytes, big-endian, d features:
 *   0 entries of c that are not 0 (i32)   . [place (i32), value (f64)] each
 *   . place in the model (i32)  m (i64)  T, V, L, G'A^-1G, kappa (f64)
 *   . ends of the running interval (2 x f64)
 *   . P+, P- (8 x f64 each)  G (d x f64)
 * </pre>
 */
final class ContrastSums extends Stored {
  /**
   * Observations after which G'A^-1G is computed from G again, so that rounding does not add up.
   */
  private static final int FOLLOWED = 1000;

  private static final int FIXED_BYTES =
      2 * Integer.BYTES + Long.BYTES + (7 + 2 * ContrastBoundary.GRID) * Double.BYTES;
  private static final int ENTRY_BYTES = Integer.BYTES + Double.BYTES;

  /** The direction, in its canonical form. */
  FeatureVector c;

  /** Its number among the contrasts of the model, counting those that are gone. */
  int place;

  /** G, the sum of w x, padded. */
  final double[] g;

  /** P+ and P- for each lambda of the grid. */
  final double[] above = new double[ContrastBoundary.GRID];

  final double[] below = new double[ContrastBoundary.GRID];

  /** m, the observations that the model has learned since the contrast was registered. */
  long m;

  /** T, the sum of w r. */
  double t;

  /** V, the sum of w^2. */
  double v;

  /** L, the sum of w^2 leverage m. */
  double l;

  /** G'A^-1G, followed from one observation to the next; NaN where that is not possible. */
  double norm;

  /** The part of features that left in G'A^-1G. */
  double kappa;

  /** Ends of the running interval; low above high once an interval came out empty. */
  double low = Double.NEGATIVE_INFINITY;

  double high = Double.POSITIVE_INFINITY;

  /** Starts without an observation. */
  ContrastSums(FeatureVector c, int place) {
    this.c = c;
    this.place = place;
    g = new double[Kernels.padded(c.dimension())];
  }

  boolean isRefuted() {
    return low > high;
  }

  double squaredWidthOfG(ContrastModel model) {
    return model.squaredWidth(g) + kappa;
  }

  /**
   * Follows G'A^-1G over an observation, by the formula of Sherman and Morrison. Only a linear
   * model adds just xx' to A.
   */
  void follow(ContrastModel model, double w, double slope, double gy, double q) {
    if (slope != 1) {
      norm = Double.NaN;
      return;
    }
    double before = m % FOLLOWED == 0 || Double.isNaN(norm) ? squaredWidthOfG(model) : norm;
    double after = gy + w * q;
    norm = before + w * (gy + after) - after * after / (1 + q);
  }

  /** Adds psi(lambda b) (Y / b)^2 on both sides. */
  void penalize(double[] lambdas, double size, boolean isPositive, double f, double miss) {
    double up = isPositive ? f : 1 - f;
    double squareUp = miss / up * (miss / up);
    double squareDown = miss / (1 - up) * (miss / (1 - up));
    for (int j = 0; j < lambdas.length; j++) {
      above[j] += squareUp * Logarithm.psi(lambdas[j] * size * up);
      below[j] += squareDown * Logarithm.psi(lambdas[j] * size * (1 - up));
    }
  }

  /** Returns whether c needs a feature that is gone. */
  boolean needsGone(FeaturePlaces to) {
    boolean needs = false;
    for (int i = 0; i < to.count(); i++) {
      needs |= to.isGone(i) && c.value(i) != 0;
    }
    return needs;
  }

  /** Follows the model, which features left that c does not need. */
  void eliminate(List<RidgeRegression.Left> all) {
    for (RidgeRegression.Left left : all) {
      double share = g[left.feature()] / left.pivot();
      t -= share * left.b();
      kappa += share * g[left.feature()];
      for (int i = 0; i < c.dimension(); i++) {
        g[i] -= share * left.row()[i];
      }
    }
  }

  /**
   * Returns the sums with other features; more of them were 0 in all observations. Where the order
   * of features turns the sign of the canonical form, all sums turn.
   *
   * @param to where the features of today are then; c needs none that is gone
   */
  ContrastSums placed(FeaturePlaces to) {
    FeatureVector direction = FeatureVector.of(to.spread(c.values()));
    boolean isTurned = ContrastBlock.sign(direction) < 0;
    ContrastSums wide =
        new ContrastSums(isTurned ? ContrastBlock.canonical(direction) : direction, place);
    wide.m = m;
    wide.t = isTurned ? 0 - t : t;
    wide.v = v;
    wide.l = l;
    wide.norm = norm;
    wide.kappa = kappa;
    wide.low = isTurned && !isRefuted() ? -high : low;
    wide.high = isTurned && !isRefuted() ? -low : high;
    System.arraycopy(isTurned ? below : above, 0, wide.above, 0, above.length);
    System.arraycopy(isTurned ? above : below, 0, wide.below, 0, below.length);
    for (int i = 0; i < to.count(); i++) {
      if (!to.isGone(i)) {
        wide.g[to.of(i)] = isTurned ? 0 - g[i] : g[i];
      }
    }
    return wide;
  }

  ContrastSums copy() {
    ContrastSums copy = new ContrastSums(c, place);
    copy.m = m;
    copy.t = t;
    copy.v = v;
    copy.l = l;
    copy.norm = norm;
    copy.kappa = kappa;
    copy.low = low;
    copy.high = high;
    System.arraycopy(above, 0, copy.above, 0, above.length);
    System.arraycopy(below, 0, copy.below, 0, below.length);
    System.arraycopy(g, 0, copy.g, 0, g.length);
    return copy;
  }

  /** Returns the bytes of a contrast with so many entries that are not 0. */
  static int byteLength(int dimension, int entries) {
    return FIXED_BYTES + entries * ENTRY_BYTES + dimension * Double.BYTES;
  }

  private int entries() {
    int entries = 0;
    for (int i = 0; i < c.dimension(); i++) {
      entries += c.value(i) != 0 ? 1 : 0;
    }
    return entries;
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    layoutDirection(bytes);
    place = bytes.i32(place);
    bytes.check(place >= 0, "place", place);
    m = bytes.i64(m);
    t = bytes.f64(t);
    v = bytes.f64(v);
    l = bytes.f64(l);
    norm = bytes.f64(norm);
    kappa = bytes.f64(kappa);
    low = bytes.f64(low);
    high = bytes.f64(high);
    bytes.f64s(above);
    bytes.f64s(below);
    bytes.f64s(g, 0, c.dimension());
  }

  private void layoutDirection(Layout bytes) throws LayoutException {
    int dimension = c.dimension();
    int entries = bytes.count(bytes.isReading() ? 0 : entries(), ENTRY_BYTES);
    bytes.check(entries >= 1 && entries <= dimension, "entries", entries);
    if (!bytes.isReading()) {
      for (int i = 0; i < dimension; i++) {
        if (c.value(i) != 0) {
          bytes.i32(i);
          bytes.f64(c.value(i));
        }
      }
      return;
    }
    double[] values = new double[dimension];
    int before = -1;
    for (int k = 0; k < entries; k++) {
      int place = bytes.i32(0);
      bytes.check(place > before && place < dimension, "an entry at feature", place);
      values[place] = bytes.f64(0);
      bytes.check(values[place] != 0, "an entry of 0 at feature", place);
      before = place;
    }
    c = FeatureVector.of(values);
  }
}
