package io.equipoise.policy.linear;

import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.RewardRule;
import org.jspecify.annotations.Nullable;

/**
 * Models rewards by ridge regression: updates a {@link RidgeRegression} when a reward arrives or a
 * round passes. Immutable.
 *
 * <p>An observation costs O(d^2), or O(d nnz) where features are sparse:
 *
 * <pre>
 * y = A^-1 x,  q = x'y,  A^-1 -= y y' / (1 + q),  theta += y (r - theta'x) / (1 + q)
 * </pre>
 *
 * <p>A^-1 and theta are recomputed from G and b by Cholesky after {@value #REFRESH_EVERY}
 * observations, and at once when q is negative beyond rounding, or when A (A^-1 x) = x fails, which
 * is tried at every {@value #CHECK_EVERY}th.
 *
 * <p>A discounted model multiplies every weight by the discount at each round, the ridge included;
 * when the ridge has fallen to half of lambda, it is filled up by a refresh. So it is never below
 * lambda / 2, and a direction that is not seen any more becomes unknown again, but no more than at
 * twice the variance of the start.
 *
 * @param dimension number of features, at least 1
 * @param lambda ridge, from 1e-300 to 1e12
 */
public record RidgeModel(int dimension, double lambda, Forget forgetting) {
  /**
   * Largest |x|^2 / lambda of one observation: it takes millions of those to saturate an arm. The
   * least ridge of a spec, 0.01, admits 10,000 features of size 1, more than a regression may have.
   */
  public static final double LARGEST_NORM = 1e6;

  /** Largest trace(G) / lambda of all: beyond that, the ridge drowns in rounding. */
  public static final double LARGEST_TRACE = 1e12;

  static final int REFRESH_EVERY = 1000;
  private static final int CHECK_EVERY = 64;
  private static final double DRIFT = 1e-11;

  /** The distance from 1 to the next double. */
  private static final double EPSILON = 0x1p-52;

  private static final double NEGATIVE = -1e-12;

  public RidgeModel {
    if (dimension < 1 || !(lambda >= 1e-300 && lambda <= 1e12)) {
      throw new IllegalArgumentException("dimension " + dimension + ", lambda " + lambda);
    }
  }

  /** Returns a model that forgets nothing. */
  public static RidgeModel of(int dimension, double lambda) {
    return new RidgeModel(dimension, lambda, Forget.NOTHING);
  }

  /** Returns an arm without an observation. */
  public RidgeRegression newArm() {
    return new RidgeRegression(dimension, lambda, forgetting.rounds() > 0);
  }

  /** Returns the bytes of an arm that has learned, but for what its window holds, if it has one. */
  public int learnedBytes() {
    return RidgeRegression.learnedBytes(dimension, forgetting.rounds() > 0);
  }

  /**
   * Learns a reward; refuses, and changes nothing, where the state could be poisoned.
   *
   * @param round of the observation, for forgetting: at least that of the arm
   */
  public InputCheck learn(
      RidgeRegression arm, FeatureVector x, double reward, long round, RidgeWorkspace workspace) {
    return learn(arm, null, x, reward, round, workspace);
  }

  /**
   * Learns a reward as {@link #learn(RidgeRegression, FeatureVector, double, long, RidgeWorkspace)}
   * does, after the contrasts of the model have seen it.
   *
   * @param contrasts of the arm; null if none are kept
   */
  InputCheck learn(
      RidgeRegression arm,
      @Nullable ContrastBlock contrasts,
      FeatureVector x,
      double reward,
      long round,
      RidgeWorkspace workspace) {
    InputCheck inputCheck = check(arm, x, reward);
    if (inputCheck != InputCheck.ADMITTED) {
      return inputCheck;
    }
    advance(arm, round, workspace);
    if (arm.isEmpty()) {
      arm.allocate();
    }
    arm.n++;
    RidgeForgetting.addObservation(arm, x, reward, 1);
    if (arm.window != null) {
      arm.window.add(Math.max(round, arm.round), reward, x.values());
    }
    update(arm, contrasts, x, reward, workspace);
    return InputCheck.ADMITTED;
  }

  private InputCheck check(RidgeRegression arm, FeatureVector x, double reward) {
    if (x.dimension() != dimension || arm.dimension() != dimension) {
      return InputCheck.WRONG_DIMENSION;
    }
    if (!Double.isFinite(reward)) {
      return InputCheck.NOT_FINITE;
    }
    if (!RewardRule.isLearnable(reward) || x.squaredNorm() > LARGEST_NORM * lambda) {
      return InputCheck.TOO_LARGE;
    }
    boolean isSaturated =
        (arm.n + 1) * LARGEST_NORM > LARGEST_TRACE
            && trace(arm) + x.squaredNorm() > LARGEST_TRACE * lambda;
    return isSaturated ? InputCheck.SATURATED : InputCheck.ADMITTED;
  }

  static double trace(RidgeRegression arm) {
    double trace = 0;
    for (int i = 0; i < arm.dimension && !arm.isEmpty(); i++) {
      trace += arm.gram[SymmetricMatrix.place(arm.dimension, i, i)];
    }
    return trace;
  }

  private void update(
      RidgeRegression arm,
      @Nullable ContrastBlock contrasts,
      FeatureVector x,
      double reward,
      RidgeWorkspace workspace) {
    double[] y = workspace.y;
    SymmetricMatrix.times(arm.inverse, x, y);
    double q = SymmetricMatrix.dot(y, x);
    if (contrasts != null) {
      contrasts.observe(arm, x, y, q, reward);
    }
    arm.sinceRefresh++;
    if (arm.sinceRefresh >= REFRESH_EVERY || q < NEGATIVE || hasDrifted(arm, x, workspace)) {
      RidgeForgetting.refresh(arm, workspace);
      return;
    }
    double scale = 1 / (1 + q);
    double step = (reward - SymmetricMatrix.dot(arm.theta, x)) * scale;
    SymmetricMatrix.addSquare(arm.inverse, -scale, y, dimension);
    SymmetricMatrix.addMultiple(arm.theta, step, y);
    arm.multiplyDeterminant(1 + q);
  }

  /**
   * Tries A y = x with the A before this observation: G holds xx' already, so A y = (1 + q) x. What
   * the inverse of a matrix of this condition misses by when it is fresh is no drift: one-hot
   * features of several attributes are collinear, so that the condition grows with n.
   */
  private boolean hasDrifted(RidgeRegression arm, FeatureVector x, RidgeWorkspace workspace) {
    if (arm.sinceRefresh % CHECK_EVERY != 0) {
      return false;
    }
    double[] y = workspace.y;
    double[] residual = workspace.residual;
    SymmetricMatrix.mirror(arm.gram, dimension);
    SymmetricMatrix.times(arm.gram, y, residual, dimension);
    double q = SymmetricMatrix.dot(y, x);
    double worst = 0;
    for (int i = 0; i < dimension; i++) {
      double expected = (1 + q) * x.value(i);
      worst = Math.max(worst, Math.abs(residual[i] + arm.rho * y[i] - expected));
    }
    double inherent = EPSILON * (trace(arm) + dimension * arm.rho) * arm.largestEigenvalue();
    return worst > Math.max(DRIFT, inherent) * (1 + q) * (1 + x.norm());
  }

  /**
   * Adds n pseudo-observations of one value, for a start from offline evidence. A^-1 and theta are
   * as before until the arm is refreshed.
   *
   * @param x admitted features
   * @return false, and nothing has changed, if they would outweigh the ridge beyond double
   *     precision
   */
  boolean suppose(RidgeRegression arm, FeatureVector x, double value, long n) {
    if (x.squaredNorm() > LARGEST_NORM * lambda
        || trace(arm) + (double) n * x.squaredNorm() > LARGEST_TRACE * lambda) {
      return false;
    }
    if (arm.isEmpty()) {
      arm.allocate();
    }
    arm.n += n;
    RidgeForgetting.addObservation(arm, x, value, (double) n);
    return true;
  }

  /** Lets rounds pass: discounts, or takes back what has left the window. Idempotent. */
  public void advance(RidgeRegression arm, long round, RidgeWorkspace workspace) {
    RidgeForgetting.advance(this, arm, round, workspace);
  }
}
