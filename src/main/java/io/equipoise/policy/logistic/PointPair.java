package io.equipoise.policy.logistic;

import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.logistic.ParameterEstimate.LocalEffect;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a comparison, of a vector x with another one xc, at one estimate. Valid as long as the
 * estimate; each value is computed once, at the first call.
 */
final class PointPair {
  final ParameterEstimate estimate;
  final EffectScale effects;
  final Point x;
  final Point xc;
  private double product = Double.NaN;
  private @Nullable Overlap overlap;
  private @Nullable Boolean isUnsupported;

  PointPair(ParameterEstimate estimate, EffectScale effects, Point x, Point xc) {
    this.estimate = estimate;
    this.effects = effects;
    this.x = x;
    this.xc = xc;
  }

  /** Returns f(x . theta) - f(xc . theta). */
  double effect() {
    return x.on(effects) - xc.on(effects);
  }

  /** Returns x' H^-1 xc. */
  double product() {
    if (Double.isNaN(product)) {
      product = xc.product(x, estimate.curvature);
    }
    return product;
  }

  LocalEffect local() {
    return new LocalEffect(effect(), overlap(), effects.greatest(estimate.scale()));
  }

  /** Returns the coverage of the effect. */
  Overlap overlap() {
    Overlap known = overlap;
    if (known == null) {
      Curvature curvature = estimate.curvature;
      known =
          x.isDense()
              ? curvature.overlap(
                  weight(x), x.x, x.solved(curvature), weight(xc), xc.x, xc.solved(curvature))
              : curvature.overlap(gradient());
      overlap = known;
    }
    return known;
  }

  /** Returns whether at least half of the effect's variance comes from no data. */
  boolean isUnsupported() {
    Boolean known = isUnsupported;
    if (known == null) {
      double share = EffectFinding.NO_OVERLAP_FROM;
      known =
          (!x.isDense()
                  && estimate.curvature.isSurelyUnsupported(
                      gradient(), Vectors.union(x.places, xc.places), share))
              || !(overlap().unsupportedShare() < share);
      isUnsupported = known;
    }
    return known;
  }

  private double weight(Point point) {
    return effects == EffectScale.PROBABILITY ? point.slope() : 1;
  }

  /** Returns the gradient of the effect in theta, f'(x . theta) x - f'(xc . theta) xc, length n. */
  double[] gradient() {
    double ofX = weight(x);
    double ofXc = weight(xc);
    double[] c = new double[estimate.theta.length];
    for (int place : x.places) {
      c[place] = ofX * x.x[place];
    }
    for (int place : xc.places) {
      c[place] -= ofXc * xc.x[place];
    }
    return c;
  }
}
