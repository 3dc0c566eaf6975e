package io.equipoise.lab.cclb;

import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.policy.logistic.Vectors;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * Minimizes L(theta) - tilt . theta over the ball |theta| &lt;= S. With no tilt that is the maximum
 * likelihood estimate (Chen, Tian and Quinn 2025, section 3.1); with tilt sigma x it is a point of
 * the path on which the optimistic value of x lies.
 *
 * <p>Damped Newton on the loss with a ridge of {@value #RIDGE}, a numerical guard only. Where the
 * minimum is outside of the ball, a multiplier nu &gt;= 0 is added to the ridge until the norm is
 * S: Newton on 1 / |theta(nu)|, kept in a bracket. So separable data give a finite answer, on the
 * sphere.
 */
final class BallMinimum {
  private static final double RIDGE = 1e-6;
  private static final double DECREMENT = 1e-12;

  /** A smaller relative decrease of the objective is lost in rounding. */
  private static final double UNSEEN = 1e-14;

  private static final double ON_SPHERE = 1e-10;
  private static final int NEWTON_STEPS = 200;
  private static final int HALVINGS = 60;
  private static final int MULTIPLIERS = 200;

  private final History history;
  private final LogisticScale scale;
  private final double[] tilt;
  private final double[] gradient;
  private final DMatrixRMaj hessian;
  private final LinearSolverDense<DMatrixRMaj> solver;
  private final DMatrixRMaj right;
  private final DMatrixRMaj step;

  private BallMinimum(History history, LogisticScale scale, double[] tilt) {
    this.history = history;
    this.scale = scale;
    this.tilt = tilt;
    int n = scale.n();
    gradient = new double[n];
    hessian = new DMatrixRMaj(n, n);
    solver = LinearSolverFactory_DDRM.symmPosDef(n);
    right = new DMatrixRMaj(n, 1);
    step = new DMatrixRMaj(n, 1);
  }

  /**
   * Returns the minimizer.
   *
   * @param tilt length n
   * @param from start of Newton's method, length n
   */
  static double[] of(History history, LogisticScale scale, double[] tilt, double[] from) {
    return new BallMinimum(history, scale, tilt).solve(from);
  }

  private double[] solve(double[] from) {
    double s = scale.s();
    double[] theta = minimum(0, from);
    double norm = Vectors.norm(theta);
    if (norm <= s) {
      return theta;
    }
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double nu = 0;
    for (int tried = 0; tried < MULTIPLIERS; tried++) {
      if (norm > s) {
        low = nu;
      } else {
        high = nu;
      }
      // d|theta|/dnu = -theta' (H + nu I)^-1 theta / |theta|; Newton on 1/|theta| - 1/S.
      double fall = quadraticOfInverse(nu, theta) / norm;
      double next = nu + (norm / s) * (norm - s) / fall;
      if (!(next > low && next < high)) {
        next = high < Double.POSITIVE_INFINITY ? low + (high - low) / 2 : 2 * low + 1;
      }
      nu = next;
      theta = minimum(nu, theta);
      norm = Vectors.norm(theta);
      if (Math.abs(norm - s) <= ON_SPHERE * s || high - low <= Math.ulp(nu)) {
        break;
      }
    }
    return Vectors.within(s, theta);
  }

  /** Returns the minimizer of the loss with the ridge and nu, over all parameters. */
  private double[] minimum(double nu, double[] from) {
    double[] theta = from;
    for (int taken = 0; taken < NEWTON_STEPS; taken++) {
      double value = prepare(nu, theta);
      if (!solver.setA(hessian.copy())) {
        return theta;
      }
      solver.solve(right, step);
      double decrement = Vectors.dot(gradient, step.data);
      if (!(decrement >= DECREMENT + UNSEEN * Math.abs(value))) {
        return Vectors.plus(theta, -1, step.data);
      }
      double length = 1;
      double[] next = Vectors.plus(theta, -length, step.data);
      for (int halved = 0;
          halved < HALVINGS && !(value - objective(nu, next) >= 0.25 * length * decrement);
          halved++) {
        length /= 2;
        next = Vectors.plus(theta, -length, step.data);
      }
      theta = next;
    }
    return theta;
  }

  private double quadraticOfInverse(double nu, double[] theta) {
    prepare(nu, theta);
    solver.setA(hessian.copy());
    System.arraycopy(theta, 0, right.data, 0, theta.length);
    solver.solve(right, step);
    return Vectors.dot(theta, step.data);
  }

  /** Computes gradient and Hessian of the objective, and returns its value. */
  private double prepare(double nu, double[] theta) {
    double ridge = RIDGE + nu;
    double loss = history.derivatives(theta, gradient, hessian);
    for (int i = 0; i < theta.length; i++) {
      gradient[i] += ridge * theta[i] - tilt[i];
      hessian.add(i, i, ridge);
      right.data[i] = gradient[i];
    }
    return loss + ridge / 2 * Vectors.dot(theta, theta) - Vectors.dot(tilt, theta);
  }

  private double objective(double nu, double[] theta) {
    double ridge = RIDGE + nu;
    return history.loss(theta) + ridge / 2 * Vectors.dot(theta, theta) - Vectors.dot(tilt, theta);
  }
}
