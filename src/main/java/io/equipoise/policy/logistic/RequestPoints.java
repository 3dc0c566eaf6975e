package io.equipoise.policy.logistic;

import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import org.jspecify.annotations.Nullable;

/** Keeps how one estimate sees the vectors of a request. Valid as long as the estimate. */
final class RequestPoints {
  final ParameterEstimate estimate;
  final LogisticRequest request;

  /** The candidates. */
  private final @Nullable Point[] own;

  /** Comparisons by candidate and constraint. */
  private final @Nullable PointPair[][] pairs;

  private final EffectScale effects;
  private final int constraints;
  private @Nullable ConfidenceRadius radiusOf;
  private double radius;

  /** Starts without a vector: it looks at each when it is asked for. */
  RequestPoints(ParameterEstimate estimate, LogisticRequest request, EffectScale effects) {
    this.estimate = estimate;
    this.request = request;
    this.effects = effects;
    int candidates = request.size();
    own = new Point[candidates];
    constraints = request.alternatives().size();
    pairs = new PointPair[candidates * constraints][];
  }

  /** Returns the radius of the estimate's ellipsoid; the one asked for last is kept. */
  double radius(ConfidenceRadius of) {
    if (!of.equals(radiusOf)) {
      radiusOf = of;
      radius = estimate.radius(of);
    }
    return radius;
  }

  /** Returns all candidates; not to be changed. */
  Point[] own() {
    for (int candidate = 0; candidate < own.length; candidate++) {
      own(candidate);
    }
    return own;
  }

  private Point own(int candidate) {
    Point known = own[candidate];
    if (known == null) {
      EncodedCandidate encoded = request.candidates().get(candidate);
      Point first = candidate == 0 ? null : own(0);
      known = point(encoded.x(), encoded.places(), first);
      own[candidate] = known;
    }
    return known;
  }

  private Point point(double[] x, int[] places, @Nullable Point near) {
    if (x.length != estimate.theta.length) {
      estimate.scale().check(x);
    }
    return new Point(x, places, estimate.theta, near);
  }

  /**
   * Refuses a vector whose norm is above 1; one of another length is refused when it is looked at.
   *
   * @throws IllegalArgumentException as {@link LogisticScale#check} does
   */
  void check() {
    for (int candidate = 0; candidate < own.length; candidate++) {
      check(own(candidate));
      for (int constraint = 0; constraint < constraints; constraint++) {
        int alternatives = request.alternatives().get(constraint).size();
        for (int i = 0; i < alternatives; i++) {
          check(pair(candidate, constraint, i).x);
          check(pair(candidate, constraint, i).xc);
        }
      }
    }
  }

  private void check(Point point) {
    if (!LogisticScale.isAtMostOne(point.norm())) {
      estimate.scale().check(point.x);
    }
  }

  /** Returns a counterfactual with the vector that it is compared with. */
  PointPair pair(int candidate, int constraint, int alternative) {
    int place = candidate * constraints + constraint;
    PointPair[] all = pairs[place];
    if (all == null) {
      all = new PointPair[request.alternatives().get(constraint).size()];
      pairs[place] = all;
    }
    PointPair known = all[alternative];
    if (known == null) {
      EncodedCandidate encoded = request.candidates().get(candidate);
      double[] x = encoded.counterfactuals()[constraint][alternative];
      Point other = point(x, encoded.others()[constraint][alternative], own(candidate));
      known =
          new PointPair(
              estimate, effects, factual(encoded, candidate, constraint, alternative), other);
      all[alternative] = known;
    }
    return known;
  }

  @SuppressWarnings("ReferenceEquality") // x itself where the person's level is disclosed
  private Point factual(EncodedCandidate encoded, int candidate, int constraint, int alternative) {
    double[] factual = encoded.factuals()[constraint][alternative];
    return factual == encoded.x()
        ? own(candidate)
        : point(factual, Vectors.nonzeros(factual), null);
  }
}
