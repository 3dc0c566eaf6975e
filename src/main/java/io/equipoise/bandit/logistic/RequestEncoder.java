package io.equipoise.bandit.logistic;

import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.features.FeatureEncoder;
import io.equipoise.bandit.features.Profile;
import io.equipoise.bandit.features.SensitivePairs;
import io.equipoise.bandit.features.SensitivePairs.Pair;
import io.equipoise.bandit.logistic.LogisticRequest.Alternative;
import io.equipoise.bandit.logistic.LogisticRequest.Candidate;
import io.equipoise.spec.SegmentSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the requests of a segment into those of a logistic policy: every vector has length 1, each
 * by its own norm, but for a zero vector, which stays one. One constraint a sensitive attribute, in
 * the order of the features, then one a set of attributes that are changed together. Immutable;
 * safe for use by many threads.
 */
final class RequestEncoder {
  private final FeatureEncoder encoder;
  private final SensitivePairs pairs;

  RequestEncoder(FeatureEncoder encoder, SegmentSpec spec) {
    this.encoder = encoder;
    pairs = new SensitivePairs(spec);
  }

  /**
   * Encodes a request.
   *
   * @throws UnusableRequestException if an arm has features that are not finite
   */
  LogisticRequest encode(Request request) {
    Profile person = request.person();
    List<List<Pair>> comparisons = new ArrayList<>();
    List<Pair> all = pairs.of(person.levels());
    for (int attribute : pairs.attributes()) {
      comparisons.add(all.stream().filter(pair -> pair.attribute() == attribute).toList());
    }
    List<Candidate> candidates = new ArrayList<>();
    for (Offer offer : request.offers()) {
      candidates.add(candidate(person, offer, comparisons));
    }
    return new LogisticRequest(
        candidates, comparisons.stream().map(RequestEncoder::alternatives).toList());
  }

  private static List<Alternative> alternatives(List<Pair> comparisons) {
    return comparisons.stream()
        .map(pair -> new Alternative(pair.attribute(), pair.factual(), pair.counterfactual()))
        .toList();
  }

  private Candidate candidate(Profile person, Offer offer, List<List<Pair>> comparisons) {
    double[][][] factuals = new double[comparisons.size()][][];
    double[][][] counterfactuals = new double[comparisons.size()][][];
    for (int constraint = 0; constraint < factuals.length; constraint++) {
      List<Pair> compared = comparisons.get(constraint);
      factuals[constraint] = new double[compared.size()][];
      counterfactuals[constraint] = new double[compared.size()][];
      for (int i = 0; i < compared.size(); i++) {
        Pair pair = compared.get(i);
        factuals[constraint][i] = features(pair.factualOf(person), offer);
        counterfactuals[constraint][i] = features(pair.counterfactualOf(person), offer);
      }
    }
    return new Candidate(features(person, offer), factuals, counterfactuals);
  }

  private double[] features(Profile person, Offer offer) {
    try {
      return features(person, offer.arm());
    } catch (UnusableRequestException e) {
      throw new UnusableRequestException("arm " + offer.id() + ": " + e.getMessage());
    }
  }

  /**
   * Returns the features of a person and an arm, of length 1 or 0.
   *
   * @throws UnusableRequestException if they are not finite
   */
  double[] features(Profile person, Profile arm) {
    double[] x = new double[encoder.dimension()];
    encoder.encode(person, arm, x);
    double largest = 0;
    for (double value : x) {
      if (!Double.isFinite(value)) {
        throw new UnusableRequestException("a feature is not finite");
      }
      largest = Math.max(largest, Math.abs(value));
    }
    if (largest > 0) {
      for (int i = 0; i < x.length; i++) {
        x[i] /= largest; // so that no square overflows
      }
      double norm = Vectors.norm(x);
      for (int i = 0; i < x.length; i++) {
        x[i] /= norm;
      }
    }
    return x;
  }
}
