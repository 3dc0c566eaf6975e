package io.equipoise.policy.logistic;

import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.ForcedExploration;
import io.equipoise.policy.constraint.ShrinkingScreen;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds what makes up a logistic policy (docs/math/logistic.md#rules-of-choice).
 *
 * @param effects the scale of effects
 * @param limits one for each constraint of the requests, on that scale; the audit's thresholds,
 *     also for a policy without a constraint
 * @param radius of the policy; the audit's is always {@link ConfidenceRadius#ofAudit}
 * @param width standard deviations of the log odds that the index reaches above them; null for the
 *     radius
 * @param rho greatest value of a dual variable
 * @param effectAt where a dual penalty on the estimate evaluates effects
 * @param screenWidth slack of the first decision: screen and forced-exploration only
 * @param exploration forced-exploration only
 */
public record PolicyParameters(
    LogisticPolicyName name,
    EffectScale effects,
    List<EffectLimit> limits,
    ConfidenceRadius radius,
    @Nullable Double width,
    double rho,
    DualSchedule schedule,
    EffectAt effectAt,
    double screenWidth,
    ForcedExploration exploration) {
  private static final double RHO = 10;
  private static final double FORCED_EXPLORATION_RADIUS_SCALE = 0.25;
  private static final double DUAL_UPPER_TIGHTNESS = 0.4;
  private static final double EPS_CCLB_TIGHTNESS = 0.7;

  /** The parameter at which a point penalty evaluates effects. */
  public enum EffectAt {
    /** The estimate. */
    HAT,
    /** The optimistic parameter, as the paper's proof has it: for replications only. */
    TILDE
  }

  public PolicyParameters {
    limits = List.copyOf(limits);
    for (EffectLimit limit : limits) {
      if (effects == EffectScale.PROBABILITY && limit.tau() > 1) {
        throw new IllegalArgumentException(
            "tau " + limit.tau() + "; effects on rewards of 0 and 1 are never above 1");
      }
    }
  }

  /**
   * Returns a policy's defaults: with thresholds tau, one for each constraint. eps is 0.7 tau for
   * eps-cclb (0.14 at 0.2), 0.4 tau for dual-upper, else 0; the radius LAPLACE, for
   * forced-exploration a quarter of it; the schedule CAPPED.
   */
  public static PolicyParameters defaults(
      LogisticPolicyName name, double alpha, List<Double> taus) {
    return defaults(name, EffectScale.PROBABILITY, alpha, taus);
  }

  static PolicyParameters defaults(
      LogisticPolicyName name, EffectScale effects, double alpha, List<Double> taus) {
    double tightness =
        switch (name) {
          case DUAL_UPPER -> DUAL_UPPER_TIGHTNESS;
          case EPS_CCLB -> EPS_CCLB_TIGHTNESS;
          default -> 0;
        };
    double radiusScale =
        name == LogisticPolicyName.FORCED_EXPLORATION ? FORCED_EXPLORATION_RADIUS_SCALE : 1;
    return new PolicyParameters(
        name,
        effects,
        taus.stream().map(tau -> new EffectLimit(tau, tightness * tau)).toList(),
        new ConfidenceRadius(RadiusKind.LAPLACE, alpha, radiusScale),
        null,
        RHO,
        DualSchedule.of(DualSchedule.ScheduleKind.CAPPED),
        EffectAt.HAT,
        ShrinkingScreen.WIDTH,
        ForcedExploration.DEFAULT);
  }

  /**
   * Returns whether prices and needs that grew under other parameters mean the same under these.
   * They depend on the policy, which says what is charged, and on tau and eps. They do not depend
   * on the cap, the schedule, the slack and the radius, which say how far a price moves and what is
   * admitted from now on.
   */
  boolean meansTheSameAs(PolicyParameters other) {
    return name == other.name && effects == other.effects && limits.equals(other.limits);
  }
}
