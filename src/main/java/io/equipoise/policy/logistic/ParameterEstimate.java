package io.equipoise.policy.logistic;

import org.ejml.data.DMatrixRMaj;

/**
 * Provides what a model has learned to the policies and the audit: theta, and the ellipsoid that H
 * spans around it. A view; it changes with the model.
 */
public final class ParameterEstimate {
  private final LogisticScale scale;

  /** Theta; not to be changed. */
  final double[] theta;

  final Curvature curvature;
  private final long rewards;

  ParameterEstimate(LogisticScale scale, double[] theta, Curvature curvature, long rewards) {
    this.scale = scale;
    this.theta = theta;
    this.curvature = curvature;
    this.rewards = rewards;
  }

  /**
   * Returns an estimate with H = lambda I + Hess L.
   *
   * @param theta length n; the estimate owns the array
   * @param hessian of the loss L at theta, n x n
   * @param rewards that were learned
   */
  public static ParameterEstimate of(
      LogisticScale scale, double[] theta, DMatrixRMaj hessian, long rewards) {
    Curvature curvature = new Curvature(scale.n(), scale.lambda());
    curvature.set(hessian);
    return new ParameterEstimate(scale, theta, curvature, rewards);
  }

  public LogisticScale scale() {
    return scale;
  }

  /** Returns a copy of theta, length n. */
  public double[] parameter() {
    return theta.clone();
  }

  /** Returns how many rewards were learned. */
  public long rewards() {
    return rewards;
  }

  /** Returns the estimated mean reward g(x . theta). */
  public double mean(double[] x) {
    return Logistic.mean(Vectors.dot(x, theta));
  }

  /** Returns the effect of a counterfactual, Delta = g(x . theta) - g(xc . theta). */
  public double effect(double[] x, double[] xc) {
    return mean(x) - mean(xc);
  }

  /** Returns the effect at theta with its coverage. */
  public LocalEffect local(double[] x, double[] xc) {
    return pair(x, xc, EffectScale.PROBABILITY).local();
  }

  /** Returns how this estimate sees a comparison. */
  PointPair pair(double[] x, double[] xc, EffectScale effects) {
    return new PointPair(this, effects, at(x), at(xc));
  }

  /** Returns how this estimate sees a vector. */
  Point at(double[] x) {
    return new Point(x, theta);
  }

  /** Returns b2, the squared radius as a difference of log losses. */
  public double squaredRadius(ConfidenceRadius radius) {
    double squaredNorm = Vectors.dot(theta, theta) + curvature.squaresOfLeft(theta);
    return radius.squared(scale, rewards, curvature.logDet(), squaredNorm);
  }

  /** Returns the radius of the ellipsoid, sqrt(2 b2). */
  public double radius(ConfidenceRadius radius) {
    return Math.sqrt(2 * squaredRadius(radius));
  }

  /**
   * Returns x . theta at its greatest over the ellipsoid, or over the ball where that is less.
   *
   * @param r radius of the ellipsoid
   */
  double optimistic(double[] x, double r) {
    return optimistic(at(x), r);
  }

  /** Returns the same of each of these. */
  double[] optimistic(Point[] xs, double r) {
    double[] values = new double[xs.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = optimistic(xs[i], r);
    }
    return values;
  }

  private double optimistic(Point x, double r) {
    double reach = x.z + r * Math.sqrt(x.variance(curvature));
    return Math.min(reach, scale.s() * x.norm());
  }

  /** Returns where in the ellipsoid x . theta is greatest, shortened to a norm of at most S. */
  double[] optimum(double[] x, double r) {
    double deviation = Math.sqrt(curvature.variance(x));
    if (deviation == 0) {
      return Vectors.within(scale.s(), theta);
    }
    double[] v = new double[x.length];
    curvature.solve(x, v);
    return Vectors.within(scale.s(), Vectors.plus(theta, r / deviation, v));
  }

  /** Returns the range of the effect over the ellipsoid and the ball. */
  public OddsInterval exactInterval(double[] x, double[] xc, double r) {
    return new EffectEllipse(pair(x, xc, EffectScale.PROBABILITY), r).interval();
  }

  DMatrixRMaj inverse() {
    return curvature.inverse;
  }

  /**
   * An effect f(x . theta) - f(xc . theta) on a scale at an estimate.
   *
   * @param greatest size of an effect on the scale
   */
  public record LocalEffect(double effect, Overlap overlap, double greatest) {
    /** Returns an interval to first order, r sqrt(c' H^-1 c) to both sides. */
    public OddsInterval interval(double r) {
      double half = r * Math.sqrt(overlap.leverage());
      return new OddsInterval(
          effect, Math.max(-greatest, effect - half), Math.min(greatest, effect + half));
    }
  }
}
