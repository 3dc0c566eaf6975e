package io.equipoise.policy.linear;

import io.equipoise.segmentspec.Forget;
import java.util.Arrays;

/** Lets rounds pass over a {@link RidgeRegression}, and recomputes what was derived from sums. */
final class RidgeForgetting {
  /** The ridge, as a share of lambda, at which a discounted model's is filled up. */
  private static final double LEAST_RIDGE = 0.5;

  /** The least 1 - x'A^-1x at which an observation is taken back without a recomputation. */
  private static final double LEAST_LEFT = 1e-3;

  /** The factor of an eigenvalue bound, so that rounding cannot make it too small. */
  static final double SAFE = 1 + 1e-9;

  private RidgeForgetting() {}

  static void advance(RidgeModel model, RidgeRegression arm, long round, RidgeWorkspace workspace) {
    Forget forgetting = model.forgetting();
    if (round <= arm.round || forgetting.isNothing()) {
      return;
    }
    long passed = round - arm.round;
    arm.round = round;
    if (arm.isEmpty()) {
      return;
    }
    if (arm.window != null) {
      takeBack(arm, arm.window, round - forgetting.rounds(), workspace);
    } else {
      discount(arm, StrictMath.pow(forgetting.discount(), (double) passed), workspace);
    }
  }

  private static void discount(RidgeRegression arm, double weight, RidgeWorkspace workspace) {
    scale(arm.gram, weight);
    scale(arm.b, weight);
    arm.rho *= weight;
    if (arm.rho < LEAST_RIDGE * arm.lambda) {
      arm.rho = arm.lambda;
      refresh(arm, workspace);
    } else {
      scale(arm.inverse, 1 / weight);
      arm.largestEigenvalue(Math.min(arm.largestEigenvalue() / weight, 1 / arm.rho) * SAFE);
      arm.logDeterminant(arm.logDeterminant() + arm.dimension * StrictMath.log(weight));
    }
  }

  private static void scale(double[] values, double weight) {
    for (int i = 0; i < values.length; i++) {
      values[i] *= weight;
    }
  }

  private static void takeBack(
      RidgeRegression arm, ObservationWindow window, long upTo, RidgeWorkspace workspace) {
    while (window.size() > 0 && window.round(0) <= upTo) {
      double reward = window.reward(0);
      window.features(0, workspace.oldestValues);
      window.removeOldest();
      workspace.oldest.set(workspace.oldestValues);
      takeBack(arm, window, workspace.oldest, reward, workspace);
    }
  }

  private static void takeBack(
      RidgeRegression arm,
      ObservationWindow window,
      FeatureVector x,
      double reward,
      RidgeWorkspace workspace) {
    double[] y = workspace.y;
    SymmetricMatrix.times(arm.inverse, x, y);
    double left = 1 - SymmetricMatrix.dot(y, x);
    arm.sinceRefresh++;
    if (left < LEAST_LEFT || arm.sinceRefresh >= RidgeModel.REFRESH_EVERY) {
      recount(arm, window, workspace);
      return;
    }
    double step = (reward - SymmetricMatrix.dot(arm.theta, x)) / left;
    addObservation(arm, x, reward, -1);
    SymmetricMatrix.addSquare(arm.inverse, 1 / left, y, arm.dimension);
    SymmetricMatrix.addMultiple(arm.theta, -step, y);
    arm.multiplyDeterminant(left);
    arm.largestEigenvalue(SAFE / arm.rho);
  }

  /** Sums what is in the window, in order: what was taken back leaves no rounding behind. */
  private static void recount(
      RidgeRegression arm, ObservationWindow window, RidgeWorkspace workspace) {
    Arrays.fill(arm.gram, 0);
    Arrays.fill(arm.b, 0);
    FeatureVector x = workspace.oldest;
    for (int k = 0; k < window.size(); k++) {
      window.features(k, workspace.oldestValues);
      x.set(workspace.oldestValues);
      addObservation(arm, x, window.reward(k), 1);
    }
    invert(arm, workspace);
  }

  static void addObservation(RidgeRegression arm, FeatureVector x, double reward, double weight) {
    SymmetricMatrix.addLowerSquare(arm.gram, weight, x);
    SymmetricMatrix.addMultiple(arm.b, weight * reward, x);
  }

  /** Recomputes A^-1 and theta, from the window where there is one. */
  static void refresh(RidgeRegression arm, RidgeWorkspace workspace) {
    if (arm.window == null) {
      invert(arm, workspace);
    } else {
      recount(arm, arm.window, workspace);
    }
  }

  /** Recomputes A^-1, theta and the bounds from G and b. */
  private static void invert(RidgeRegression arm, RidgeWorkspace workspace) {
    double logDeterminant = workspace.cholesky.invert(arm.gram, arm.rho, arm.inverse);
    if (Double.isNaN(logDeterminant)) {
      throw new IllegalStateException(
          "A is not positive definite after "
              + arm.n
              + " observations: trace "
              + RidgeModel.trace(arm));
    }
    SymmetricMatrix.times(arm.inverse, arm.b, arm.theta, arm.dimension);
    arm.logDeterminant(logDeterminant - arm.dimension * StrictMath.log(arm.lambda) + arm.logOfLeft);
    double norm = SymmetricMatrix.norm(arm.inverse, arm.dimension, workspace.residual);
    arm.largestEigenvalue(Math.min(norm, 1 / arm.rho) * SAFE);
    arm.sinceRefresh = 0;
  }
}
