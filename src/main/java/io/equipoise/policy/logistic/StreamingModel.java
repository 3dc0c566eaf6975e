package io.equipoise.policy.logistic;

import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.Scan;
import io.equipoise.policy.features.FeaturePlaces;
import io.equipoise.policy.linear.RidgeRegression;
import java.util.List;

/**
 * Learns the model in a stream: by one implicit Newton step per reward on a quadratic summary of
 * all before it, in 2 n^2 + n doubles whatever the number of rewards
 * (docs/math/logistic.md#the-streaming-model). Mutable; {@link #copy} is deep. Rewards of another
 * order give a slightly different state, so two states do not merge.
 *
 * <p>The parameter is not projected onto the ball: measured, that made theta* leave the ellipsoid.
 *
 * <pre>
 * Bytes, format 64, or 66 where features left, big-endian:
 *   0 format (u8)   1 n (i32)   5 S (f64)   13 lambda (f64)   21 rewards (i64)
 *  29 theta (n x f64)   H, H^-1 by rows (2 n^2 x f64)
 *   . format 66: log of the pivots of features that left, each by lambda (f64)  their part of
 *     |theta|^2: offset (f64), pull (n x f64)   R (n^2 x f64)
 * </pre>
 */
public final class StreamingModel extends StateBlock implements LogisticModel {
  /** The format of today; codes up to 79 are kept for others of this class. */
  public static final byte FORMAT = 64;

  /** The format of a model that features left. */
  public static final byte REDUCED = 66;

  private static final int MAX_DIMENSION = 1 << 12;
  private static final long REFRESH_EVERY = 1024;
  private static final double WITHIN = 1e-9;

  private LogisticScale scale;
  private double[] theta;
  private Curvature curvature;
  private double[] v;
  private long rewards;

  /** Makes a model without features, to be read. */
  public StreamingModel() {
    this(new LogisticScale(1, 1, 1));
  }

  /** Makes a model without features that features left, to be read. */
  static StreamingModel reduced() {
    return new StreamingModel(
        new LogisticScale(1, 1, 1), new double[1], new Curvature(1, 1, true), 0);
  }

  /** Starts at theta = 0 and H = lambda I. */
  public StreamingModel(LogisticScale scale) {
    this(scale, new double[scale.n()], new Curvature(scale.n(), scale.lambda()), 0);
  }

  private StreamingModel(LogisticScale scale, double[] theta, Curvature curvature, long rewards) {
    this.scale = scale;
    this.theta = theta;
    this.curvature = curvature;
    this.rewards = rewards;
    v = new double[scale.n()];
  }

  @Override
  public LogisticScale scale() {
    return scale;
  }

  @Override
  public long rewards() {
    return rewards;
  }

  /** Learns in O(n^2) without allocating, but for a fresh inverse every 1,024 rewards. */
  @Override
  public void learn(double[] x, double y) {
    scale.check(x);
    LogisticScale.checkReward(y);
    curvature.solve(x, v);
    double q = Math.max(0, Vectors.dot(x, v));
    double z = ImplicitStep.solve(Vectors.dot(x, theta), q, y);
    double residual = Logistic.mean(z) - y;
    for (int i = 0; i < theta.length; i++) {
      theta[i] -= v[i] * residual;
    }
    curvature.add(x, v, q, Logistic.slope(z));
    rewards++;
    if (rewards % REFRESH_EVERY == 0) {
      curvature.refresh();
    }
  }

  @Override
  public ParameterEstimate estimate() {
    return new ParameterEstimate(scale, theta, curvature, rewards);
  }

  @Override
  public double[] optimistic(double[][] candidates, ConfidenceRadius radius) {
    ParameterEstimate parameterEstimate = estimate();
    return optimistic(parameterEstimate, candidates, parameterEstimate.radius(radius));
  }

  private static double[] optimistic(
      ParameterEstimate parameterEstimate, double[][] candidates, double r) {
    double[] values = new double[candidates.length];
    for (int candidate = 0; candidate < values.length; candidate++) {
      values[candidate] = parameterEstimate.optimistic(candidates[candidate], r);
    }
    return values;
  }

  @Override
  public JointOptimum jointOptimum(double[][] candidates, int start, ConfidenceRadius radius) {
    ParameterEstimate parameterEstimate = estimate();
    double r = parameterEstimate.radius(radius);
    double[] value = optimistic(parameterEstimate, candidates, r);
    int best = Scan.best(value.length, start, WITHIN, candidate -> true, c -> value[c]);
    return new JointOptimum(best, value[best], parameterEstimate.optimum(candidates[best], r));
  }

  @Override
  public StreamingModel copy() {
    return new StreamingModel(scale, theta.clone(), curvature.copy(), rewards);
  }

  /**
   * Returns the model as it is with more features, which were 0 in all rewards: theta is 0 there,
   * and H has lambda on its diagonal. Lambda stays. Features that are gone have left: theta of the
   * others stays.
   */
  StreamingModel spread(FeaturePlaces to) {
    return new StreamingModel(
        new LogisticScale(to.among(), scale.s(), scale.lambda()),
        to.spread(theta),
        curvature.spread(to, theta),
        rewards);
  }

  /** Returns the features that leave. */
  List<RidgeRegression.Left> leaving(FeaturePlaces to) {
    return curvature.copy().eliminate(to, theta);
  }

  /** Returns the number of bytes that a model in n dimensions has. */
  static long byteLength(int n) {
    return new StreamingModel().byteLength() + bodyBytes(n) - bodyBytes(1);
  }

  @Override
  public boolean isChangedByRewardsOnly() {
    return true;
  }

  private static long bodyBytes(int n) {
    return (long) Double.BYTES * n + Curvature.byteLength(n);
  }

  @Override
  protected void layout(Layout bytes) throws LayoutException {
    boolean hasLost = curvature.hasLost();
    bytes.begin(hasLost ? REDUCED : FORMAT);
    int n = bytes.i32(scale.n());
    double s = bytes.f64(scale.s());
    double lambda = bytes.f64(scale.lambda());
    rewards = bytes.i64(rewards);
    bytes.check(n >= 1 && n <= MAX_DIMENSION, "dimension", n);
    bytes.fits(bodyBytes(n) + (hasLost ? Curvature.byteLength(n) / 2 : 0));
    if (bytes.isReading()) {
      scale = new LogisticScale(n, s, lambda);
      theta = new double[n];
      curvature = new Curvature(n, lambda, hasLost);
      v = new double[n];
    }
    bytes.f64s(theta);
    curvature.layout(bytes);
  }

  /**
   * Solves one implicit Newton step: z = z0 - q (g(z) - y), where z is x . theta after the step, z0
   * before it, and q = x' H^-1 x (docs/math/logistic.md#the-streaming-model).
   */
  static final class ImplicitStep {
    private static final double PRECISION = 1e-12;
    private static final int STEPS = 200;

    private ImplicitStep() {}

    /**
     * Returns z. The root lies in [z0 - q, z0 + q], for g(z) - y is in [-1, 1]. Newton's method;
     * where an iterate leaves what is left of that bracket, or a step is not at most half of the
     * one before it, the bracket is bisected. (Newton alone may cycle from q = 4 on, where g is
     * flat on one side of the root and steep on the other.)
     */
    static double solve(double z0, double q, double y) {
      double low = z0 - q;
      double high = z0 + q;
      double z = z0;
      double moved = Double.POSITIVE_INFINITY;
      for (int step = 0; step < STEPS && moved >= PRECISION; step++) {
        double h = z - z0 + q * (Logistic.mean(z) - y);
        if (h > 0) {
          high = Math.min(high, z);
        } else {
          low = Math.max(low, z);
        }
        double next = z - h / (1 + q * Logistic.slope(z));
        boolean isSlow = 2 * Math.abs(next - z) > moved;
        if (isSlow || !(next >= low && next <= high)) {
          next = low + (high - low) / 2;
        }
        moved = Math.abs(next - z);
        z = next;
      }
      return z;
    }
  }
}
