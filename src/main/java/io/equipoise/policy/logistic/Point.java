package io.equipoise.policy.logistic;

import org.jspecify.annotations.Nullable;

/**
 * Evaluates a feature vector at one estimate: the places that are not zero, and x . theta, from
 * which mean and slope follow. Valid as long as the estimate; each value is computed once, at the
 * first call.
 */
final class Point {
  private static final double UNKNOWN = -1;

  final double[] x;
  final int[] places;

  /** X . theta. */
  final double z;

  /** X . x. */
  private final double squares;

  /** A vector that differs in few places, or null. */
  private final @Nullable Point near;

  private double @Nullable [] solved;
  private double e = UNKNOWN;
  private double variance = UNKNOWN;

  Point(double[] x, double[] theta) {
    this(x, Vectors.nonzeros(x), theta, null);
  }

  /** Looks at a vector that is zero but in these places, and like another one in most. */
  Point(double[] x, int[] places, double[] theta, @Nullable Point near) {
    this.x = x;
    this.places = places;
    this.near = near;
    double product = 0;
    double sum = 0;
    if (isDense()) {
      for (int i = 0; i < x.length; i++) {
        product += x[i] * theta[i];
        sum += x[i] * x[i];
      }
    } else {
      for (int place : places) {
        product += x[place] * theta[place];
        sum += x[place] * x[place];
      }
    }
    z = product;
    squares = sum;
  }

  /** Returns whether sums are over all places, and products with x are taken from H^-1 x. */
  boolean isDense() {
    return Vectors.isDense(x, places);
  }

  /** Returns {@link Logistic#mean} of x . theta. */
  double mean() {
    double power = power();
    return z >= 0 ? 1 / (1 + power) : power / (1 + power);
  }

  /** Returns f(x . theta). */
  double on(EffectScale scale) {
    return scale == EffectScale.PROBABILITY ? mean() : z;
  }

  /** Returns {@link Logistic#slope} of x . theta. */
  double slope() {
    double power = power();
    return power / ((1 + power) * (1 + power));
  }

  private double power() {
    if (e == UNKNOWN) {
      e = StrictMath.exp(-Math.abs(z));
    }
    return e;
  }

  /** Returns x' H^-1 x, never below 0. */
  double variance(Curvature curvature) {
    if (variance == UNKNOWN) {
      variance = Math.max(0, product(this, curvature));
    }
    return variance;
  }

  /** Returns x' H^-1 y of another vector y. */
  double product(Point other, Curvature curvature) {
    return other.isDense()
        ? Vectors.dot(x, places, other.solved(curvature))
        : curvature.product(x, places, other.x, other.places);
  }

  /** Returns H^-1 x; not to be changed. */
  double[] solved(Curvature curvature) {
    double[] known = solved;
    if (known == null) {
      if (near != null && near.isDense()) {
        known = curvature.solved(x, near.x, near.solved(curvature));
      } else {
        known = new double[x.length];
        curvature.solve(x, known);
      }
      solved = known;
    }
    return known;
  }

  /** Returns |x|. */
  double norm() {
    return Math.sqrt(squares);
  }
}
