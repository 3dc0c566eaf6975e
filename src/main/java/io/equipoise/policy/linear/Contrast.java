package io.equipoise.policy.linear;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.Stored;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.kernel.Kernels;
import io.equipoise.policy.kernel.Logarithm;
import java.util.List;

/**
 * Bounds one contrast c'theta of a model at all times at once by a weighted sum of rewards, the W
 * interval (docs/math/weighted-sums.md#ridge). Mutable.
 *
 * <p>Weights w and guesses f of the mean are taken before a reward is seen, so that sum w (r -
 * theta'x) is a martingale, which {@link ContrastBoundary} bounds by u+ above and u- below. With G
 * = sum w x, T = sum w r, any N &gt; 0 and q = N c - G,
 *
 * <pre>
 * c'theta  in  [(T - u+ + q'theta^ - b) / N,  (T + u- + q'theta^ + b) / N],  b = beta sqrt(q'A^-1 q)
 * </pre>
 *
 * <p>Of a logistic model the sums are those of its tangents, with r - g + g' x'theta^ for r and g'
 * x for x, so that c'theta is a difference of log odds and the bound holds to first order
 * (docs/math/weighted-sums.md#log-odds).
 *
 * <p>Where features with c = 0 {@linkplain RidgeRegression#eliminate leave} the model, G and T are
 * what T + q'theta^ and N need of them, and kappa is what G'A^-1G had from them.
 *
 * <p>The interval is that one cut by the ellipsoid's and, where it is sticky, by all earlier ones.
 * If nothing is left, the model is refuted.
 *
 * <pre>
 * Bytes, big-endian, d features:
 *   0 entries of c that are not 0 (i32)   . [place (i32), value (f64)] each
 *   . place in the model (i32)  m (i64)  T, V, L, G'A^-1G, kappa (f64)
 *   . ends of the running interval (2 x f64)
 *   . P+, P- (8 x f64 each)  G (d x f64)
 * </pre>
 */
public final class Contrast extends Stored {
  /** The least weight that counts. */
  private static final double LEAST_WEIGHT = 1e-9;

  /** The share of the contrast's variance from the ridge alone from which it only waits. */
  public static final double GATE = 0.1;

  /** Observations, in dimensions, in which the feedback of the weights cancels the imbalance. */
  private static final double KAPPA = 6;

  /** Guesses of a mean keep this from the ends of the range, as a share of it. */
  private static final double MARGIN = 0.02;

  /** The share of the range by which an end must move. */
  private static final double MATTERS = 1e-9;

  /** The part of a boundary, known to 12 digits, that it surely exceeds. */
  private static final double SURELY = 1 - 1e-9;

  /**
   * Observations after which G'A^-1G is computed from G again, so that rounding does not add up.
   */
  private static final int FOLLOWED = 1000;

  private static final int FIXED_BYTES =
      2 * Integer.BYTES + Long.BYTES + (7 + 2 * ContrastBoundary.GRID) * Double.BYTES;
  private static final int ENTRY_BYTES = Integer.BYTES + Double.BYTES;

  private FeatureVector c;
  private int place;
  private final double[] g;
  private final double[] above = new double[ContrastBoundary.GRID];
  private final double[] below = new double[ContrastBoundary.GRID];
  private long m;
  private double t;
  private double v;
  private double l;

  /** G'A^-1G, followed from one observation to the next; NaN where that is not possible. */
  private double norm;

  /** What features that left had in G'A^-1G. */
  private double kappa;

  private double low = Double.NEGATIVE_INFINITY;
  private double high = Double.POSITIVE_INFINITY;

  /** Caches what was computed since the model learned last; derived, in no byte. */
  private boolean isFresh;

  private double lower;
  private double upper;
  private double information;
  private double imbalance;

  /** A^-1 c of the model as it is, where it was computed; derived, in no byte. */
  private final double[] direction;

  private boolean hasDirection;

  /** c'A^-1c, |A^-1 c|^2 and N of that model. */
  private double variance;

  private double squares;
  private double projected;

  /** What u+ and u- surely exceed from now on, each side at this alpha; derived, in no byte. */
  private double floorAbove;

  private double floorBelow;
  private double alphaOfFloors = Double.NaN;

  /**
   * Starts without an observation.
   *
   * @param place its number among the contrasts of the model, counting those that are gone
   */
  Contrast(FeatureVector c, int place) {
    this.c = c;
    this.place = place;
    g = new double[Kernels.padded(c.dimension())];
    direction = new double[g.length];
  }

  int place() {
    return place;
  }

  /** Returns the direction. */
  FeatureVector c() {
    return c;
  }

  /** Returns the lower end of the interval last computed, in units of c'theta. */
  public double lower() {
    return lower;
  }

  /** Returns the upper end of the interval last computed, in units of c'theta. */
  public double upper() {
    return upper;
  }

  /** Returns N, how many observations of the contrast the weights amount to; 0 before any. */
  public double information() {
    return information;
  }

  /**
   * Returns b / N of the interval last computed, what it is wider for weights that are out of
   * balance; 0 before any.
   */
  public double imbalance() {
    return imbalance;
  }

  /** Returns c'A^-1c of a model with observations. */
  double variance(ContrastModel model) {
    project(model);
    return variance;
  }

  /** Returns |A^-1 c|^2 of a model with observations. */
  double squares(ContrastModel model) {
    project(model);
    return squares;
  }

  /** Returns whether an interval came out empty. */
  public boolean isRefuted() {
    return low > high;
  }

  boolean isFresh() {
    return isFresh;
  }

  /** Returns m, the observations that the model has learned since the contrast was registered. */
  long observations() {
    return m;
  }

  /**
   * Returns what was learned, for a forecast; the interval must have been computed.
   *
   * @param rewards that count for the contrast
   * @param estimate of c'theta
   * @param imbalance b / N
   * @param effect size of an effect, in shares of the range of rewards, for each unit of c'theta
   * @param lower end of the interval of the effect
   * @param upper end of it
   */
  ContrastForecast.Learned learned(
      double[] lambdas,
      double rewards,
      double estimate,
      double imbalance,
      double effect,
      double lower,
      double upper) {
    return new ContrastForecast.Learned(
        rewards,
        information / effect,
        v,
        lambdas,
        above,
        below,
        estimate * effect,
        imbalance * effect,
        lower,
        upper);
  }

  /** Returns T, V and L. */
  double[] sums() {
    return new double[] {t, v, l};
  }

  /** Returns an element of G. */
  double weighted(int feature) {
    return g[feature];
  }

  /** Forgets the running ends, and what was computed. */
  void restart() {
    low = Double.NEGATIVE_INFINITY;
    high = Double.POSITIVE_INFINITY;
    alphaOfFloors = Double.NaN;
    isFresh = false;
  }

  /**
   * Takes an observation that the model is about to learn.
   *
   * @param model before it learns
   * @param y A^-1 x
   * @param q x'A^-1 x
   * @param reward in units of the reward
   * @param z theta'x
   * @return w
   */
  double observe(
      ContrastPlan plan,
      double[] lambdas,
      ContrastModel model,
      FeatureVector x,
      double[] y,
      double q,
      double reward,
      double z) {
    m++;
    double gy = Kernels.dot(g, y);
    double w = weight(model, y, gy);
    isFresh = false;
    hasDirection = false;
    double slope = model.slope(z);
    follow(model, w, slope, gy, q);
    if (w == 0) {
      return 0;
    }
    double guess = plan.shareOfRange(model.response(z));
    double f = Math.max(MARGIN, Math.min(1 - MARGIN, guess));
    penalize(lambdas, Math.abs(w), w > 0, f, plan.shareOfRange(reward) - f);
    t += w * model.linearized(reward, z);
    v += w * w;
    l += w * w * (slope * Math.max(0, q)) * m;
    SymmetricMatrix.addMultiple(g, w * slope, x);
    return w;
  }

  /**
   * Follows G'A^-1G over an observation, by the formula of Sherman and Morrison. Only a linear
   * model adds just xx' to A.
   */
  private void follow(ContrastModel model, double w, double slope, double gy, double q) {
    if (slope != 1) {
      norm = Double.NaN;
      return;
    }
    double before = m % FOLLOWED == 0 || Double.isNaN(norm) ? squaredWidthOfG(model) : norm;
    double after = gy + w * q;
    norm = before + w * (gy + after) - after * after / (1 + q);
  }

  private double squaredWidthOfG(ContrastModel model) {
    return model.squaredWidth(g) + kappa;
  }

  /** Solves for A^-1 c and what follows from it, once between two observations. */
  private void project(ContrastModel model) {
    if (!hasDirection) {
      model.solve(c, direction);
      variance = SymmetricMatrix.dot(direction, c);
      squares = model.ridgeNorm(direction);
      projected = Kernels.dot(direction, g) / variance;
      hasDirection = true;
    }
  }

  private double weight(ContrastModel model, double[] y, double gy) {
    project(model);
    if (!(variance > 0) || model.ridge() * squares > GATE * variance) {
      return 0;
    }
    double n = projected;
    double leverage = v > 0 ? l / v : 0;
    double cy = SymmetricMatrix.dot(y, c);
    double control = m / (KAPPA * Math.max(c.dimension(), leverage));
    double w = cy / variance + control * (n * cy - gy);
    w = Math.max(-1, Math.min(1, w));
    return Math.abs(w) < LEAST_WEIGHT ? 0 : w;
  }

  /** Adds psi(lambda b) (Y / b)^2 on both sides. */
  private void penalize(double[] lambdas, double size, boolean isPositive, double f, double miss) {
    double up = isPositive ? f : 1 - f;
    double squareUp = miss / up * (miss / up);
    double squareDown = miss / (1 - up) * (miss / (1 - up));
    for (int j = 0; j < lambdas.length; j++) {
      above[j] += squareUp * Logarithm.psi(lambdas[j] * size * up);
      below[j] += squareDown * Logarithm.psi(lambdas[j] * size * (1 - up));
    }
  }

  /**
   * Computes the interval, if the model has learned since it was computed last.
   *
   * @param radius beta of the ellipsoid
   * @param alpha of each side
   * @return whether the running ends moved
   */
  boolean refresh(
      ContrastPlan plan, double[] lambdas, ContrastModel model, double radius, double alpha) {
    if (isFresh) {
      return false;
    }
    isFresh = true;
    double estimate = model.mean(c);
    boolean hasSums = v > 0 && !isRefuted();
    double reach = radius * Math.sqrt(hasSums ? variance(model) : model.squaredWidth(c));
    lower = Math.max(-plan.largest, estimate - reach);
    upper = Math.min(plan.largest, estimate + reach);
    information = 0;
    imbalance = 0;
    if (hasSums) {
      cut(plan, lambdas, model, estimate, radius, alpha);
    }
    return settle(plan);
  }

  /**
   * Cuts the interval by the weighted sum, where that matters: so what is computed again from the
   * same sums, after a restore, moves no end. Most often a floor of u is known under which it does
   * not matter.
   */
  private void cut(
      ContrastPlan plan,
      double[] lambdas,
      ContrastModel model,
      double estimate,
      double radius,
      double alpha) {
    double n = projected;
    if (!(n > 0)) {
      return;
    }
    // q'A^-1q = G'A^-1G - N^2 c'A^-1c, since N c'A^-1c = c'A^-1G
    double ofG = Double.isNaN(norm) ? squaredWidthOfG(model) : norm;
    information = n;
    imbalance = radius * Math.sqrt(Math.max(0, ofG - n * n * variance)) / n;
    double middle = estimate + (t - model.mean(g)) / n;
    double left = middle - imbalance;
    double right = middle + imbalance;
    double unit = plan.span() / n;
    double mostLeft = (left - Math.max(low, lower)) / unit - MATTERS * n;
    double mostRight = (Math.min(high, upper) - right) / unit - MATTERS * n;
    resetFloors(alpha);
    floorAbove = floor(plan, mostLeft, lambdas, above, alpha, floorAbove);
    if (mostLeft > floorAbove) {
      double u = plan.boundary(mostLeft, lambdas, above, v, alpha);
      lower = u < mostLeft ? left - unit * u : lower;
      floorAbove = Math.max(floorAbove, u * SURELY);
    }
    floorBelow = floor(plan, mostRight, lambdas, below, alpha, floorBelow);
    if (mostRight > floorBelow) {
      double u = plan.boundary(mostRight, lambdas, below, v, alpha);
      upper = u < mostRight ? right + unit * u : upper;
      floorBelow = Math.max(floorBelow, u * SURELY);
    }
  }

  private double floor(
      ContrastPlan plan,
      double most,
      double[] lambdas,
      double[] penalties,
      double alpha,
      double known) {
    return most > known ? Math.max(known, plan.floor(most, lambdas, penalties, v, alpha)) : known;
  }

  private void resetFloors(double alpha) {
    if (alpha != alphaOfFloors) {
      alphaOfFloors = alpha;
      floorAbove = 0;
      floorBelow = 0;
    }
  }

  private boolean settle(ContrastPlan plan) {
    boolean isMoved = false;
    if (plan.isSticky()) {
      isMoved = lower > low || upper < high;
      low = Math.max(low, lower);
      high = Math.min(high, upper);
      lower = low;
      upper = high;
    }
    if (lower > upper || isRefuted()) {
      isMoved |= low != Double.POSITIVE_INFINITY;
      low = Double.POSITIVE_INFINITY;
      high = Double.NEGATIVE_INFINITY;
      lower = -plan.largest;
      upper = plan.largest;
    }
    return isMoved;
  }

  /** Adds the sums over other observations than these, of an equal grid. */
  void merge(Contrast other) {
    m += other.m;
    t += other.t;
    v += other.v;
    l += other.l;
    kappa += other.kappa;
    for (int j = 0; j < above.length; j++) {
      above[j] += other.above[j];
      below[j] += other.below[j];
    }
    for (int i = 0; i < g.length; i++) {
      g[i] += other.g[i];
    }
    low = Math.max(low, other.low);
    high = Math.min(high, other.high);
    isFresh = false;
    hasDirection = false;
    norm = Double.NaN;
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
  private void eliminate(List<RidgeRegression.Left> all) {
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
   * Returns the contrast as it is with other features; more of them were 0 in all observations. Its
   * sums stay: no weight depended on what was seen later. Where the order of features turns the
   * sign of the canonical form, all sums turn.
   *
   * @param to where the features of today are then; c needs none that is gone
   * @param left the features that leave the model
   */
  Contrast spread(FeaturePlaces to, List<RidgeRegression.Left> left) {
    Contrast reduced = copy();
    reduced.eliminate(left);
    return reduced.placed(to);
  }

  private Contrast placed(FeaturePlaces to) {
    FeatureVector direction = FeatureVector.of(to.spread(c.values()));
    boolean isTurned = ContrastBlock.sign(direction) < 0;
    Contrast wide = new Contrast(isTurned ? ContrastBlock.canonical(direction) : direction, place);
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

  Contrast copy() {
    Contrast copy = new Contrast(c, place);
    copy.merge(this);
    copy.norm = norm;
    copy.isFresh = isFresh;
    copy.lower = lower;
    copy.upper = upper;
    copy.information = information;
    copy.imbalance = imbalance;
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
