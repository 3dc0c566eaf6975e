package io.equipoise.policy.logistic;

import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import org.jspecify.annotations.Nullable;

/** Keeps how one estimate sees the vectors of a request. Valid as long as the estimate. */
final class RequestPoints {
  final ParameterEstimate estimate;
  final LogisticRequest request;

  /** The candidates; not to be changed. */
  final Point[] own;

  /** Counterfactuals by candidate and constraint. */
  private final @Nullable Point[][] others;

  private final int constraints;

  /** Looks at the candidates themselves; at their counterfactuals when they are asked for. */
  RequestPoints(ParameterEstimate estimate, LogisticRequest request) {
    this.estimate = estimate;
    this.request = request;
    int candidates = request.size();
    own = new Point[candidates];
    constraints = request.alternatives().size();
    others = new Point[candidates * constraints][];
    for (int candidate = 0; candidate < candidates; candidate++) {
      EncodedCandidate encoded = request.candidates().get(candidate);
      Point first = candidate == 0 ? null : own[0];
      own[candidate] = new Point(encoded.x(), encoded.places(), estimate.theta, first);
    }
  }

  /** Returns the vector that a counterfactual is compared with. */
  @SuppressWarnings("ReferenceEquality") // x itself where the person's level is disclosed
  Point factual(int candidate, int constraint, int alternative) {
    EncodedCandidate encoded = request.candidates().get(candidate);
    double[] factual = encoded.factuals()[constraint][alternative];
    return factual == encoded.x() ? own[candidate] : estimate.at(factual);
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
      known = new Point(x, places[alternative], estimate.theta, own[candidate]);
      all[alternative] = known;
    }
    return known;
  }
}
