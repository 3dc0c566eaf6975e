package io.equipoise.policy.logistic;

import io.equipoise.event.AuditInterval;
import io.equipoise.policy.linear.Contrast;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.policy.linear.ContrastModel;
import io.equipoise.policy.linear.ContrastPlan;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.LinearBlocks;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds effects by the W intervals of a model's differences of log odds
 * (docs/math/weighted-sums.md#log-odds): l = (x' - x)'theta has the interval of its {@link
 * Contrast}, u = x'theta and u + l those of the ellipsoid and the ball.
 *
 * <p>Everybody has length 1, so a difference of levels is the same direction for all, but not of
 * the same length; contrasts are kept at one length. Valid until the model learns.
 *
 * <p>The sums take g for its tangents, which is measured, not proved. Where their interval and the
 * ellipsoid exclude each other, as they do where all rewards of some people are alike and no theta
 * of the ball explains that, the contrast is given up, and the ellipsoid alone answers.
 */
final class OddsContrasts implements OddsBounds {
  private final EffectScale effects;
  private final ContrastPlan plan;

  /** The contrasts, which asking may have changed. */
  final ContrastBlock block;

  private final ParameterEstimate estimate;
  private final Model model;
  private final double[] difference;
  private final FeatureVector direction;
  private double radius = Double.NaN;

  /** What was found of the comparisons that were asked for. */
  private final Map<PointPair, Directed> asked = new HashMap<>();

  /**
   * The contrast of a comparison.
   *
   * @param length as {@link #direct} returns it
   */
  private record Directed(double length, @Nullable Contrast contrast) {}

  /**
   * Goes on under a plan.
   *
   * @param estimate of complete rows, which the contrasts have seen all of
   */
  OddsContrasts(
      ContrastPlan plan, ContrastBlock block, ParameterEstimate estimate, EffectScale effects) {
    this.effects = effects;
    this.plan = plan;
    this.block = block;
    this.estimate = estimate;
    model = new Model(estimate);
    difference = new double[estimate.theta.length];
    direction = new FeatureVector(difference.length);
    block.adopt(plan, LinearBlocks.SHARED, 1, true);
  }

  /** Takes a reward that the model is about to learn. */
  void observe(double[] x, double reward) {
    FeatureVector vector = FeatureVector.of(x);
    double[] y = new double[vector.values().length];
    model.solve(vector, y);
    block.observe(model, vector, y, Math.max(0, Vectors.dot(x, y)), reward);
  }

  @Override
  public @Nullable Bound of(RequestPoints points, int candidate, int constraint, int alternative) {
    return of(points.pair(candidate, constraint, alternative));
  }

  @Override
  public void refresh(RequestPoints points, int candidate, int constraint, int alternative) {
    directed(points.pair(candidate, constraint, alternative));
  }

  /** Returns the bound of f(x . theta) - f(xc . theta); null where no contrast is kept of it. */
  @Nullable Bound of(PointPair pair) {
    Directed directed = directed(pair);
    Contrast contrast = directed.contrast();
    return contrast == null || contrast.isRefuted()
        ? null
        : bound(pair, contrast, directed.length() / plan.unit());
  }

  private Directed directed(PointPair pair) {
    Directed known = asked.get(pair);
    if (known == null) {
      double length = direct(pair.x.x, pair.xc.x);
      known = new Directed(length, length == 0 ? null : block.of(model, direction));
      asked.put(pair, known);
    }
    return known;
  }

  /**
   * Sets the direction to that of xc - x at the unit of contrasts, its first entry positive.
   *
   * @return the size of the difference's entries with the sign of the first; 0 where they are not
   *     alike
   */
  private double direct(double[] x, double[] xc) {
    double first = 0;
    for (int i = 0; i < x.length; i++) {
      double entry = xc[i] - x[i];
      first = first == 0 ? entry : first;
      if (entry != 0 && Math.abs(entry) != Math.abs(first)) {
        return 0;
      }
      difference[i] = entry == 0 ? 0 : entry == first ? plan.unit() : -plan.unit();
    }
    direction.set(difference);
    return first;
  }

  private Bound bound(PointPair pair, Contrast contrast, double scale) {
    double least = scale * (scale > 0 ? contrast.lower() : contrast.upper());
    double most = scale * (scale > 0 ? contrast.upper() : contrast.lower());
    Point here = complete(pair, pair.x);
    double imbalance = effects.slope(here.z) * Math.abs(scale) * contrast.imbalance();
    return Bound.of(
        AuditInterval.CONTRAST,
        range(here),
        range(complete(pair, pair.xc)),
        least,
        most,
        contrast.information(),
        imbalance,
        effects);
  }

  /** Returns a point at the estimate of complete rows, where its variance comes from x alone. */
  private Point complete(PointPair pair, Point point) {
    boolean isOfEstimate = pair.estimate.curvature == estimate.curvature;
    return isOfEstimate && !point.isDense() ? point : estimate.at(point.x);
  }

  /** Returns the range of u = x'theta by the ellipsoid, cut to the ball. */
  private OddsRange range(Point point) {
    double limit = estimate.scale().s() * point.norm();
    double reach = radius() * Math.sqrt(point.variance(estimate.curvature));
    return new OddsRange(
        Math.max(-limit, Math.min(limit, point.z - reach)),
        Math.max(-limit, Math.min(limit, point.z + reach)));
  }

  private double radius() {
    if (Double.isNaN(radius)) {
      radius = plan.beta(model, LinearBlocks.SHARED);
    }
    return radius;
  }

  /** Adapts a logistic model to its contrasts. */
  private record Model(ParameterEstimate estimate) implements ContrastModel {
    @Override
    public void solve(FeatureVector x, double[] out) {
      estimate.curvature.solve(x.values(), out);
    }

    @Override
    public double theta(int feature) {
      return estimate.theta[feature];
    }

    @Override
    public double mean(FeatureVector x) {
      return mean(x.values());
    }

    @Override
    public double mean(double[] x) {
      double sum = 0;
      for (int i = 0; i < estimate.theta.length; i++) {
        sum += x[i] * estimate.theta[i];
      }
      return sum;
    }

    @Override
    public double squaredWidth(FeatureVector x) {
      return squaredWidth(x.values());
    }

    @Override
    public double squaredWidth(double[] x) {
      return estimate.curvature.variance(x);
    }

    @Override
    public double logDeterminant() {
      return estimate.curvature.logDet() - estimate.scale().n() * StrictMath.log(lambda());
    }

    @Override
    public double lambda() {
      return estimate.scale().lambda();
    }

    @Override
    public double ridge() {
      return lambda();
    }

    @Override
    public double ridgeNorm(double[] v) {
      Curvature curvature = estimate.curvature;
      return curvature.hasLost() ? curvature.ridgeNorm(v) : ContrastModel.super.ridgeNorm(v);
    }

    @Override
    public double squaresOfLeft() {
      return estimate.curvature.squaresOfLeft(estimate.theta);
    }

    @Override
    public double response(double z) {
      return Logistic.mean(z);
    }

    @Override
    public double slope(double z) {
      return Logistic.slope(z);
    }

    @Override
    public double linearized(double reward, double z) {
      return reward - Logistic.mean(z) + Logistic.slope(z) * z;
    }
  }
}
