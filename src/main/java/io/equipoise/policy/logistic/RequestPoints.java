package io.equipoise.policy.logistic;

import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import org.jspecify.annotations.Nullable;

/** Keeps how one estimate sees the vectors of a request. Valid as long as the estimate. */
final class RequestPoints {
  final ParameterEstimate estimate;
  final LogisticRequest request;

  /** The candidates. */
  private final @Nullable Point[] own;

  /** Counterfactuals by candidate and constraint. */
  private final @Nullable Point[][] others;

  private final int constraints;

  /** Starts without a vector: it looks at each when it is asked for. */
  RequestPoints(ParameterEstimate estimate, LogisticRequest request) {
    this.estimate = estimate;
    this.request = request;
    int candidates = request.size();
    own = new Point[candidates];
    constraints = request.alternatives().size();
    others = new Point[candidates * constraints][];
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
          check(factual(candidate, constraint, i));
          check(counterfactual(candidate, constraint, i));
        }
      }
    }
  }

  private void check(Point point) {
    if (!LogisticScale.isAtMostOne(point.norm())) {
      estimate.scale().check(point.x);
    }
  }

  /** Returns the vector that a counterfactual is compared with. */
  @SuppressWarnings("ReferenceEquality") // x itself where the person's level is disclosed
  Point factual(int candidate, int constraint, int alternative) {
    EncodedCandidate encoded = request.candidates().get(candidate);
    double[] factual = encoded.factuals()[constraint][alternative];
    return factual == encoded.x()
        ? own(candidate)
        : point(factual, Vectors.nonzeros(factual), null);
  }

  Point counterfactual(int candidate, int constraint, int alternative) {
    EncodedCandidate encoded = request.candidates().get(candidate);
    int[][] places = encoded.others()[constraint];
    int place = candidate * constraints + constraint;
    Point[] all = others[place];
    if (all == null) {
      all = new Point[places.length];
      others[place] = all;
    }
    Point known = all[alternative];
    if (known == null) {
      double[] x = encoded.counterfactuals()[constraint][alternative];
      known = point(x, places[alternative], own(candidate));
      all[alternative] = known;
    }
    return known;
  }
}
