package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.History.VectorKey;
import io.equipoise.policy.logistic.LogisticScale;
import io.equipoise.policy.logistic.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.jspecify.annotations.Nullable;

/**
 * Computes the confidence set of the exact model, { theta : |theta| &lt;= S, L(theta) &lt;= limit }
 * (Lee, Yun and Jun 2024), and the greatest x . theta in it
 * (docs/math/logistic.md#the-exact-model). Lives for one decision.
 *
 * <p>State: the half-spaces through the optima found so far; each contains the set. The gradient,
 * the matrices and the solver are buffers: their content is that of the last step.
 */
final class LossSet {
  private static final int STEPS = 25;
  private static final double STEP_PRECISION = 1e-7;
  private static final double PRECISION = 1e-6;
  private static final double LOST = 100;
  private static final double CLOSE = 0.3;
  private static final double PATH_PRECISION = 1e-12;
  private static final double FAR = 1e18;
  private static final double JACOBIAN_RIDGE = 1e-9;
  private static final int SEGMENT_STEPS = 8;
  private static final int PATH_STEPS = 200;

  private final History history;
  private final LogisticScale scale;
  private final double[] center;
  private final double limit;
  private final double b2;
  private final Map<VectorKey, double[]> starts;
  private final List<HalfSpace> cuts = new ArrayList<>();

  private final double[] gradient;
  private final DMatrixRMaj hessian;
  private final LinearSolverDense<DMatrixRMaj> solver;
  private final DMatrixRMaj right;
  private final DMatrixRMaj solved;

  /**
   * Describes the set.
   *
   * @param center the constrained maximum likelihood estimate
   * @param b2 greatest loss minus the center's
   * @param starts earlier optima, which shorten the search and change its result by rounding only
   */
  LossSet(
      History history,
      LogisticScale scale,
      double[] center,
      double b2,
      Map<VectorKey, double[]> starts) {
    this.history = history;
    this.starts = starts;
    this.scale = scale;
    this.center = center;
    this.b2 = b2;
    limit = history.loss(center) + b2;
    int n = scale.n();
    gradient = new double[n];
    hessian = new DMatrixRMaj(n, n);
    solver = LinearSolverFactory_DDRM.symmPosDef(n);
    right = new DMatrixRMaj(n, 1);
    solved = new DMatrixRMaj(n, 1);
  }

  /** Bounds the set by a half-space normal . theta &lt;= bound that contains it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record HalfSpace(double[] normal, double bound) {
    /** Returns the greatest x . theta over this half-space and the ball of radius s. */
    double greatest(double[] x, double s) {
      double normalNorm = Vectors.norm(normal);
      double xNorm = Vectors.norm(x);
      double along = Vectors.dot(x, normal) / normalNorm;
      double distance = bound / normalNorm;
      if (xNorm == 0 || s * along / xNorm <= distance || distance >= s) {
        return s * xNorm;
      }
      double across = Math.sqrt(Math.max(0, xNorm * xNorm - along * along));
      return along * distance + across * Math.sqrt(Math.max(0, s * s - distance * distance));
    }
  }

  /** Returns the ball's corner in direction x if it lies in the set. */
  double @Nullable [] corner(double[] x) {
    double norm = Vectors.norm(x);
    if (norm == 0) {
      return null;
    }
    double[] corner = Vectors.scaled(scale.s() / norm, x);
    return history.loss(corner) <= limit ? corner : null;
  }

  /** Returns an upper bound of x . theta over the set, from the optima found so far. */
  double bound(double[] x) {
    double bound = scale.s() * Vectors.norm(x);
    for (HalfSpace cut : cuts) {
      bound = Math.min(bound, cut.greatest(x, scale.s()));
    }
    return bound;
  }

  /** Returns the theta with the greatest x . theta. */
  double[] optimum(double[] x) {
    double[] corner = corner(x);
    if (corner != null) {
      return corner;
    }
    if (Vectors.norm(x) == 0) {
      return center;
    }
    double[] optimum = near(x);
    optimum = optimum == null ? onLoss(x, beyondCenter(x)) : optimum;
    optimum = optimum == null ? onBoth(x, towardsCorner(x)) : optimum;
    optimum = optimum == null ? onPath(x) : optimum;
    starts.put(VectorKey.of(x), optimum);
    double loss = history.derivatives(optimum, gradient, hessian);
    double[] normal = gradient.clone();
    if (Vectors.norm(normal) > 0) {
      cuts.add(new HalfSpace(normal, Vectors.dot(normal, optimum) + limit - loss));
    }
    return optimum;
  }

  /** Starts at the previous optimum of the same vector. */
  private double @Nullable [] near(double[] x) {
    double[] before = starts.get(VectorKey.of(x));
    return before == null ? null : polished(x, before);
  }

  private double @Nullable [] polished(double[] x, double[] from) {
    double[] onLoss = isOnSphere(from) ? null : onLoss(x, from);
    return onLoss == null ? onBoth(x, from) : onLoss;
  }

  private boolean isOnSphere(double[] theta) {
    return Math.abs(Vectors.norm(theta) - scale.s()) < PRECISION * scale.s();
  }

  private boolean isOnLimit(double[] theta) {
    return Math.abs(history.loss(theta) - limit) < PRECISION * (1 + b2);
  }

  /** Newton on s x = grad L, L = limit; the ball is not binding. */
  private double @Nullable [] onLoss(double[] x, double @Nullable [] from) {
    double[] theta = from;
    for (int step = 0; theta != null && step < STEPS; step++) {
      double loss = history.derivatives(theta, gradient, hessian);
      if (!factorize(JACOBIAN_RIDGE)) {
        return null;
      }
      double[] a = solve(x);
      double[] b = solve(gradient);
      double s = (Vectors.dot(gradient, b) - (loss - limit)) / Vectors.dot(gradient, a);
      double[] move = Vectors.within(2 * scale.s(), Vectors.plus(Vectors.scaled(s, a), -1, b));
      theta = Vectors.plus(theta, 1, move);
      if (isLost(theta)) {
        return null;
      }
      if (Vectors.norm(move) < STEP_PRECISION) {
        return s > 0 && isOnLimit(theta) && Vectors.norm(theta) <= scale.s() ? theta : null;
      }
    }
    return null;
  }

  /** The same Newton with a multiplier nu for the sphere; loss and ball are both binding. */
  private double @Nullable [] onBoth(double[] x, double[] from) {
    double s2 = scale.s() * scale.s();
    double[] theta = from;
    double nu = 0;
    for (int step = 0; step < STEPS; step++) {
      double loss = history.derivatives(theta, gradient, hessian);
      if (!factorize(Math.max(nu, 0) + JACOBIAN_RIDGE)) {
        return null;
      }
      double[] a = solve(x);
      double[] b = solve(gradient);
      double[] e = solve(theta);
      double ofLoss = limit - loss + Vectors.dot(gradient, b);
      double ofBall = (s2 - Vectors.dot(theta, theta)) / 2 + Vectors.dot(theta, b);
      double m11 = Vectors.dot(gradient, a);
      double m12 = -Vectors.dot(gradient, e);
      double m21 = Vectors.dot(theta, a);
      double m22 = -Vectors.dot(theta, e);
      double det = m11 * m22 - m12 * m21;
      double s = (ofLoss * m22 - m12 * ofBall) / det;
      nu = (m11 * ofBall - m21 * ofLoss) / det;
      double[] move = Vectors.plus(Vectors.scaled(s, a), -1, b);
      move = Vectors.within(2 * scale.s(), Vectors.plus(move, -nu, e));
      theta = Vectors.plus(theta, 1, move);
      if (isLost(theta)) {
        return null;
      }
      if (Vectors.norm(move) < STEP_PRECISION) {
        boolean isOptimal = s > 0 && nu >= -PRECISION && isOnLimit(theta) && isOnSphere(theta);
        return isOptimal ? Vectors.within(scale.s(), theta) : null;
      }
    }
    return null;
  }

  /** Returns the optimum if the loss were its quadratic approximation at the center. */
  private double @Nullable [] beyondCenter(double[] x) {
    history.derivatives(center, gradient, hessian);
    if (!factorize(JACOBIAN_RIDGE)) {
      return null;
    }
    double[] direction = solve(x);
    double reach = Math.sqrt(2 * b2 / Math.max(Vectors.dot(x, direction), Double.MIN_NORMAL));
    return Vectors.within(2 * scale.s(), Vectors.plus(center, reach, direction));
  }

  /** Returns approximately the point where the segment from center to corner leaves the set. */
  private double[] towardsCorner(double[] x) {
    double[] corner = Vectors.scaled(scale.s() / Vectors.norm(x), x);
    double low = 0;
    double high = 1;
    for (int step = 0; step < SEGMENT_STEPS; step++) {
      double middle = (low + high) / 2;
      if (history.loss(between(corner, middle)) <= limit) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return between(corner, low);
  }

  private double[] between(double[] corner, double share) {
    return Vectors.plus(Vectors.scaled(1 - share, center), share, corner);
  }

  /**
   * Follows the minimizers of L(theta) - sigma x . theta over the ball, whose loss grows with sigma
   * from the center's to the corner's, and bisects for the limit. Always succeeds; Newton's method
   * finishes close to the limit.
   */
  private double[] onPath(double[] x) {
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double sigma = 1;
    double[] inside = center;
    double[] theta = center;
    double close = CLOSE;
    for (int step = 0; step < PATH_STEPS; step++) {
      theta = BallMinimum.of(history, scale, Vectors.scaled(sigma, x), theta);
      double beyond = history.loss(theta) - limit;
      if (Math.abs(beyond) < close * b2) {
        double[] polished = polished(x, theta);
        if (polished != null) {
          return polished;
        }
        close /= 10;
      }
      if (beyond <= 0) {
        low = sigma;
        inside = theta;
      } else {
        high = sigma;
      }
      sigma = high < Double.POSITIVE_INFINITY ? (low + high) / 2 : 4 * sigma;
      if (high - low <= PATH_PRECISION * sigma || sigma > FAR) {
        break;
      }
    }
    return inside;
  }

  private boolean factorize(double ridge) {
    DMatrixRMaj matrix = hessian.copy();
    for (int i = 0; i < scale.n(); i++) {
      matrix.add(i, i, ridge);
    }
    return solver.setA(matrix);
  }

  private double[] solve(double[] vector) {
    System.arraycopy(vector, 0, right.data, 0, vector.length);
    solver.solve(right, solved);
    return solved.data.clone();
  }

  private boolean isLost(double[] theta) {
    return !(Vectors.norm(theta) < LOST * scale.s());
  }
}
