package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.kernel.Kernels;
import java.util.List;

/**
 * Bounds one contrast c'theta of a model at all times at once by a weighted sum of rewards, the W
 * interval (docs/math/weighted-sums.md#ridge).
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
 * <p>{@link ContrastSums} is the state. The rest is computed from it and from the model: interval
 * and direction until the model learns again, the floors of u+ and u- until their alpha changes, as
 * both only grow. After a restore all of it is computed anew.
 */
public final class Contrast {
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

  final ContrastSums sums;

  /** True while lower, upper, information and imbalance are those of the model as it is. */
  private boolean isFresh;

  private double lower;
  private double upper;
  private double information;
  private double imbalance;

  /** True while direction, variance, squares and projected are those of the model as it is. */
  private boolean hasDirection;

  /** A^-1 c. */
  private final double[] direction;

  /** c'A^-1c, |A^-1 c|^2 and N. */
  private double variance;

  private double squares;
  private double projected;

  /** What u+ and u- surely exceed from now on, each side at this alpha. */
  private double floorAbove;

  private double floorBelow;
  private double alphaOfFloors = Double.NaN;

  /**
   * Starts without an observation.
   *
   * @param place its number among the contrasts of the model, counting those that are gone
   */
  Contrast(FeatureVector c, int place) {
    this(new ContrastSums(c, place));
  }

  private Contrast(ContrastSums sums) {
    this.sums = sums;
    direction = new double[sums.g.length];
  }

  int place() {
    return sums.place;
  }

  FeatureVector c() {
    return sums.c;
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
    return sums.isRefuted();
  }

  boolean isFresh() {
    return isFresh;
  }

  /** Returns m, the observations that the model has learned since the contrast was registered. */
  long observations() {
    return sums.m;
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
        sums.v,
        lambdas,
        sums.above,
        sums.below,
        estimate * effect,
        imbalance * effect,
        lower,
        upper);
  }

  /** Returns T, V and L. */
  double[] sums() {
    return new double[] {sums.t, sums.v, sums.l};
  }

  /** Returns an element of G. */
  double weighted(int feature) {
    return sums.g[feature];
  }

  /** Forgets the running ends, and what was computed. */
  void restart() {
    sums.low = Double.NEGATIVE_INFINITY;
    sums.high = Double.POSITIVE_INFINITY;
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
    sums.m++;
    double gy = Kernels.dot(sums.g, y);
    double w = weight(model, y, gy);
    isFresh = false;
    hasDirection = false;
    double slope = model.slope(z);
    sums.follow(model, w, slope, gy, q);
    if (w == 0) {
      return 0;
    }
    double guess = plan.shareOfRange(model.response(z));
    double f = Math.max(MARGIN, Math.min(1 - MARGIN, guess));
    sums.penalize(lambdas, Math.abs(w), w > 0, f, plan.shareOfRange(reward) - f);
    sums.t += w * model.linearized(reward, z);
    sums.v += w * w;
    sums.l += w * w * (slope * Math.max(0, q)) * sums.m;
    SymmetricMatrix.addMultiple(sums.g, w * slope, x);
    return w;
  }

  /** Solves for A^-1 c and what follows from it, once between two observations. */
  private void project(ContrastModel model) {
    if (!hasDirection) {
      model.solve(sums.c, direction);
      variance = SymmetricMatrix.dot(direction, sums.c);
      squares = model.ridgeNorm(direction);
      projected = Kernels.dot(direction, sums.g) / variance;
      hasDirection = true;
    }
  }

  private double weight(ContrastModel model, double[] y, double gy) {
    project(model);
    if (!(variance > 0) || model.ridge() * squares > GATE * variance) {
      return 0;
    }
    double n = projected;
    double leverage = sums.v > 0 ? sums.l / sums.v : 0;
    double cy = SymmetricMatrix.dot(y, sums.c);
    double control = sums.m / (KAPPA * Math.max(sums.c.dimension(), leverage));
    double w = cy / variance + control * (n * cy - gy);
    w = Math.max(-1, Math.min(1, w));
    return Math.abs(w) < LEAST_WEIGHT ? 0 : w;
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
    double estimate = model.mean(sums.c);
    boolean hasSums = sums.v > 0 && !isRefuted();
    double reach = radius * Math.sqrt(hasSums ? variance(model) : model.squaredWidth(sums.c));
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
    double ofG = Double.isNaN(sums.norm) ? sums.squaredWidthOfG(model) : sums.norm;
    information = n;
    imbalance = radius * Math.sqrt(Math.max(0, ofG - n * n * variance)) / n;
    double middle = estimate + (sums.t - model.mean(sums.g)) / n;
    double left = middle - imbalance;
    double right = middle + imbalance;
    double unit = plan.span() / n;
    double mostLeft = (left - Math.max(sums.low, lower)) / unit - MATTERS * n;
    double mostRight = (Math.min(sums.high, upper) - right) / unit - MATTERS * n;
    resetFloors(alpha);
    floorAbove = floor(plan, mostLeft, lambdas, sums.above, alpha, floorAbove);
    if (mostLeft > floorAbove) {
      double u = plan.boundary(mostLeft, lambdas, sums.above, sums.v, alpha);
      lower = u < mostLeft ? left - unit * u : lower;
      floorAbove = Math.max(floorAbove, u * SURELY);
    }
    floorBelow = floor(plan, mostRight, lambdas, sums.below, alpha, floorBelow);
    if (mostRight > floorBelow) {
      double u = plan.boundary(mostRight, lambdas, sums.below, sums.v, alpha);
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
    return most > known
        ? Math.max(known, plan.floor(most, lambdas, penalties, sums.v, alpha))
        : known;
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
      isMoved = lower > sums.low || upper < sums.high;
      sums.low = Math.max(sums.low, lower);
      sums.high = Math.min(sums.high, upper);
      lower = sums.low;
      upper = sums.high;
    }
    if (lower > upper || isRefuted()) {
      isMoved |= sums.low != Double.POSITIVE_INFINITY;
      sums.low = Double.POSITIVE_INFINITY;
      sums.high = Double.NEGATIVE_INFINITY;
      lower = -plan.largest;
      upper = plan.largest;
    }
    return isMoved;
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
    ContrastSums reduced = sums.copy();
    reduced.eliminate(left);
    return new Contrast(reduced.placed(to));
  }

  Contrast copy() {
    Contrast copy = new Contrast(sums.copy());
    copy.isFresh = isFresh;
    copy.lower = lower;
    copy.upper = upper;
    copy.information = information;
    copy.imbalance = imbalance;
    return copy;
  }
}
