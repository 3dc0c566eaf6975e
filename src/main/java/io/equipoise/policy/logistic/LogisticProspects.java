package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.CandidateScores;
import io.equipoise.policy.constraint.Contrasts;
import io.equipoise.policy.constraint.EffectBounds;
import io.equipoise.policy.constraint.EffectSize;
import org.ejml.data.DMatrixRMaj;

/** What a logistic model says of one request. Valid as long as the estimate. */
final class LogisticProspects implements CandidateScores, Contrasts {
  private final ParameterEstimate parameterEstimate;
  private final Point[] seen;
  private final double[] optimistic;
  private final LogisticEffects effects;
  private final double r;

  /**
   * Collects what is said.
   *
   * @param seen the features of every candidate
   * @param optimistic mean reward of every candidate
   * @param r radius of the policy's ellipsoid
   */
  LogisticProspects(
      ParameterEstimate parameterEstimate,
      Point[] seen,
      double[] optimistic,
      LogisticEffects effects,
      double r) {
    this.parameterEstimate = parameterEstimate;
    this.seen = seen;
    this.optimistic = optimistic;
    this.effects = effects;
    this.r = r;
  }

  /** Returns the same but for optimism: every optimistic value is the mean. */
  LogisticProspects withoutOptimism() {
    double[] means = new double[seen.length];
    for (int candidate = 0; candidate < means.length; candidate++) {
      means[candidate] = mean(candidate);
    }
    return new LogisticProspects(parameterEstimate, seen, means, effects, r);
  }

  @Override
  public int candidates() {
    return seen.length;
  }

  @Override
  public int constraints() {
    return effects.constraints();
  }

  @Override
  public double mean(int candidate) {
    return seen[candidate].mean();
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
    return effects.size(candidate, constraint);
  }

  @Override
  public double estimate(int candidate, int constraint) {
    return effects.estimate(candidate, constraint);
  }

  @Override
  public EffectBounds bounds(int candidate, int constraint) {
    return effects.bounds(candidate, constraint);
  }

  @Override
  public EffectBounds roughBounds(int candidate, int constraint) {
    return effects.roughBounds(candidate, constraint);
  }

  /** Brings what is kept of a candidate's effects up to date. */
  void refresh(int candidate) {
    for (int constraint = 0; constraint < constraints(); constraint++) {
      roughBounds(candidate, constraint);
    }
  }

  @Override
  public DMatrixRMaj inverse() {
    return parameterEstimate.inverse();
  }

  @Override
  public double radius() {
    return r;
  }

  @Override
  public double[] features(int candidate) {
    return seen[candidate].x();
  }

  @Override
  public double weight(int candidate) {
    return seen[candidate].slope();
  }

  @Override
  public double[] gradient(int candidate, int constraint) {
    return effects.gradient(candidate, constraint);
  }
}
