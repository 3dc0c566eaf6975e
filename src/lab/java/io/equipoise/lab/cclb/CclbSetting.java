package io.equipoise.lab.cclb;

import io.equipoise.lab.cclb.Totals.Measure;
import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.logistic.ConfidenceRadius;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.logistic.PolicyParameters;
import io.equipoise.policy.logistic.PolicyParameters.EffectAt;
import io.equipoise.policy.logistic.RadiusKind;
import io.equipoise.simulation.SplitMix;
import java.util.List;

/**
 * Defines one curve of a figure: a policy and everything that its run depends on.
 *
 * @param figure 2, 4, 5, coverage, or {@link #NO_FIGURE}
 * @param horizon T of the schedule FIXED of all replications
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

  /** The radius of forced-exploration is a quarter of Laplace's. */
  private static final double FORCED_EXPLORATION_RADIUS_SCALE = 0.25;

  /** The form of the model. */
  enum Estimator {
    EXACT,
    STREAMING
  }

  /**
   * Delays rewards until they reach the learner: after an exponential number of rounds whose mean
   * may depend on the outcome, or all at the end of their decision's window.
   *
   * @param meanOfZero mean rounds until a reward of 0 arrives; 0 for at once
   * @param meanOfOne mean rounds until a reward of 1 arrives; 0 for at once
   * @param window rounds between a decision and learning its reward, later rewards are lost; 0 to
   *     learn rewards as they arrive
   */
  record Delay(double meanOfZero, double meanOfOne, int window) {
    static final Delay NONE = new Delay(0, 0, 0);

    /** The lag of a lost reward. */
    static final int NEVER = -1;

    /**
     * Returns after how many rounds a reward is learned, or {@link #NEVER}; 0 if before the next
     * decision. Draws one uniform if the outcome's mean is above 0.
     */
    int lag(double y, SplitMix delays) {
      double mean = y == 1 ? meanOfOne : meanOfZero;
      int lag = 0;
      if (mean > 0) {
        lag = (int) Math.ceil(-mean * StrictMath.log(1 - delays.nextDouble()));
      }
      if (window == 0) {
        return lag;
      }
      return lag <= window ? window : NEVER;
    }
  }

  /** Returns a policy on the base model with the eps of Figure 2. */
  static CclbSetting of(
      String figure, LogisticPolicyName policy, Estimator estimator, double tau, int rounds) {
    double eps =
        switch (policy) {
          case EPS_CCLB -> 0.14;
          case DUAL_UPPER -> 0.08;
          default -> 0;
        };
    EffectAt at = EffectAt.HAT;
    Delay delay = Delay.NONE;
    return new CclbSetting(
        figure, policy, estimator, Scm.BASE, tau, eps, at, rounds, rounds, false, delay);
  }

  private CclbSetting with(double eps, EffectAt at, Delay delay) {
    return new CclbSetting(
        figure, policy, estimator, instance, tau, eps, at, horizon, rounds, isAudited, delay);
  }

  private CclbSetting with(String instance, int horizon, int rounds, boolean isAudited) {
    return new CclbSetting(
        figure, policy, estimator, instance, tau, eps, effectAt, horizon, rounds, isAudited, delay);
  }

  CclbSetting withEps(double other) {
    return with(other, effectAt, delay);
  }

  CclbSetting withEffectAtTilde() {
    return with(eps, EffectAt.TILDE, delay);
  }

  CclbSetting delayed(Delay other) {
    return with(eps, effectAt, other);
  }

  /** Returns the same on another instance, audited. */
  CclbSetting auditedOn(String other) {
    return with(other, horizon, rounds, true);
  }

  /** Returns the first rounds of the same run; the horizon stays. */
  CclbSetting cutTo(int most) {
    return with(instance, horizon, Math.min(rounds, most), isAudited);
  }

  /** Returns an unaudited run of a multiple of the horizon and rounds. */
  CclbSetting longer(int times) {
    return with(instance, times * horizon, times * rounds, false);
  }

  boolean has(Measure measure) {
    return isAudited || !measure.isOfAudit();
  }

  PolicyParameters parameters(double alpha) {
    RadiusKind radius =
        switch (policy) {
          case GLM_UCB, OFULOG, CCLB, EPS_CCLB -> RadiusKind.LEE24;
          case DUAL_UPPER, SCREEN, FORCED_EXPLORATION -> RadiusKind.LAPLACE;
        };
    boolean isForced = policy == LogisticPolicyName.FORCED_EXPLORATION;
    double scale = isForced ? FORCED_EXPLORATION_RADIUS_SCALE : 1;
    PolicyParameters shipped = PolicyParameters.defaults(policy, alpha, List.of(tau));
    return new PolicyParameters(
        policy,
        shipped.effects(),
        List.of(new EffectLimit(tau, eps)),
        new ConfidenceRadius(radius, alpha, scale),
        shipped.width(),
        shipped.rho(),
        DualSchedule.fixed(horizon),
        effectAt,
        shipped.screenWidth(),
        shipped.exploration());
  }
}
