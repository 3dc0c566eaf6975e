package io.equipoise.bandit.logistic;

import io.equipoise.bandit.constraint.Directions;
import io.equipoise.bandit.constraint.EffectSize;
import io.equipoise.bandit.constraint.Prospects;
import io.equipoise.bandit.logistic.LogisticRequest.Candidate;
import java.util.List;
import org.ejml.data.DMatrixRMaj;

/** What a logistic model says of one request. */
final class LogisticProspects implements Prospects, Directions {
  private final Estimate estimate;
  private final List<Candidate> candidates;
  private final double[] optimistic;
  private final EffectSize[][] effects;
  private final double r;

  /**
   * Collects what is said.
   *
   * @param optimistic mean reward of every candidate
   * @param effects by candidate and constraint
   * @param r radius of the policy's ellipsoid
   */
  LogisticProspects(
      Estimate estimate,
      List<Candidate> candidates,
      double[] optimistic,
      EffectSize[][] effects,
      double r) {
    this.estimate = estimate;
    this.candidates = candidates;
    this.optimistic = optimistic;
    this.effects = effects;
    this.r = r;
  }

  /** Returns the same but for optimism: every optimistic value is the mean. */
  LogisticProspects withoutOptimism() {
    double[] means = new double[candidates.size()];
    for (int candidate = 0; candidate < means.length; candidate++) {
      means[candidate] = mean(candidate);
    }
    return new LogisticProspects(estimate, candidates, means, effects, r);
  }

  @Override
  public int candidates() {
    return candidates.size();
  }

  @Override
  public int constraints() {
    return effects[0].length;
  }

  @Override
  public double mean(int candidate) {
    return estimate.mean(features(candidate));
  }

  @Override
  public double optimistic(int candidate) {
    return optimistic[candidate];
  }

  double[] optimistic() {
    return optimistic;
  }

  @Override
  public EffectSize effect(int candidate, int constraint) {
    return effects[candidate][constraint];
  }

  EffectSize[] effects(int candidate) {
    return effects[candidate];
  }

  @Override
  public DMatrixRMaj inverse() {
    return estimate.inverse();
  }

  @Override
  public double radius() {
    return r;
  }

  @Override
  public double[] features(int candidate) {
    return candidates.get(candidate).x();
  }

  @Override
  public double weight(int candidate) {
    return estimate.weight(features(candidate));
  }

  @Override
  public double[] gradient(int candidate, int constraint) {
    double[][] factuals = candidates.get(candidate).factuals()[constraint];
    double[][] alternatives = candidates.get(candidate).counterfactuals()[constraint];
    int worst = 0;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; alternatives.length > 1 && i < alternatives.length; i++) {
      double end = estimate.local(factuals[i], alternatives[i]).interval(r).size().high();
      if (end > high) {
        high = end;
        worst = i;
      }
    }
    return estimate.local(factuals[worst], alternatives[worst]).gradient();
  }
}
