package io.equipoise.lab.cclb;

import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.logistic.ConfidenceRadius;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.PolicyParameters;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import io.equipoise.policy.logistic.RadiusKind;
import java.util.List;

/**
 * One curve of a figure: a policy with all that it is run with.
 *
 * @param figure 2, 4, 5, coverage, or {@link #NO_FIGURE}
 * @param horizon T of the schedule FIXED, which all replications use
 * @param rounds rounds of a trial
 * @param isAudited whether every decision is audited
 * @param delay of the rewards
 */
record CclbSetting(
    String figure,
    LogisticPolicyName policy,
    Estimator estimator,
    String instance,
    double tau,
    double eps,
    EffectAt effectAt,
    int horizon,
    int rounds,
    boolean isAudited,
    Delay delay) {
  static final String NO_FIGURE = "none";

  /** The paper's policies have the wide radius; forced-exploration the quarter of Laplace's. */
  private static final double FORCED_EXPLORATION_RADIUS_SCALE = 0.25;

  /** Which form of the model. */
  enum Estimator {
    EXACT,
    STREAMING
  }

  /** Returns a policy on the base model with the eps it has in Figure 2. */
  static CclbSetting of(
      String figure, LogisticPolicyName policy, Estimator estimator, double tau, int rounds) {
    double eps =
        switch (policy) {
          case EPS_CCLB -> 0.14;
          case DUAL_UPPER -> 0.08;
          default -> 0;
        };
    return new CclbSetting(
        figure,
        policy,
        estimator,
        Scm.BASE,
        tau,
        eps,
        EffectAt.HAT,
        rounds,
        rounds,
        false,
        Delay.NONE);
  }

  CclbSetting withEps(double other) {
    return new CclbSetting(
        figure, policy, estimator, instance, tau, other, effectAt, horizon, rounds, isAudited,
        delay);
  }

  CclbSetting withEffectAtTilde() {
    return new CclbSetting(
        figure,
        policy,
        estimator,
        instance,
        tau,
        eps,
        EffectAt.TILDE,
        horizon,
        rounds,
        isAudited,
        delay);
  }

  /** Returns the same on another instance, audited. */
  CclbSetting auditedOn(String other) {
    return new CclbSetting(
        figure, policy, estimator, other, tau, eps, effectAt, horizon, rounds, true, delay);
  }

  /** Returns the first rounds of the same run: the horizon stays. */
  CclbSetting cutTo(int most) {
    return new CclbSetting(
        figure,
        policy,
        estimator,
        instance,
        tau,
        eps,
        effectAt,
        horizon,
        Math.min(rounds, most),
        isAudited,
        delay);
  }

  CclbSetting delayed(Delay other) {
    return new CclbSetting(
        figure, policy, estimator, instance, tau, eps, effectAt, horizon, rounds, isAudited, other);
  }

  /** Returns a run of so many times the horizon and rounds, not audited. */
  CclbSetting longer(int times) {
    return new CclbSetting(
        figure,
        policy,
        estimator,
        instance,
        tau,
        eps,
        effectAt,
        times * horizon,
        times * rounds,
        false,
        delay);
  }

  RadiusKind radius() {
    return switch (policy) {
      case GLM_UCB, OFULOG, CCLB, EPS_CCLB -> RadiusKind.LEE24;
      case DUAL_UPPER, SCREEN, FORCED_EXPLORATION -> RadiusKind.LAPLACE;
    };
  }

  double radiusScale() {
    return policy == LogisticPolicyName.FORCED_EXPLORATION ? FORCED_EXPLORATION_RADIUS_SCALE : 1;
  }

  PolicyParameters parameters(double alpha) {
    return PolicyParameters.defaults(policy, alpha, List.of(tau))
        .withLimits(List.of(new EffectLimit(tau, eps)))
        .withRadius(new ConfidenceRadius(radius(), alpha, radiusScale()))
        .withSchedule(DualSchedule.fixed(horizon))
        .withEffectAt(effectAt);
  }
}
