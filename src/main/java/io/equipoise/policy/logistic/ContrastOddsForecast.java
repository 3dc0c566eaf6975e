package io.equipoise.policy.logistic;

import io.equipoise.event.AuditInterval;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.IntervalForecast.ForecastInterval;
import io.equipoise.policy.linear.ExpectedDesign;
import io.equipoise.policy.linear.ExpectedDesign.Widths;
import io.equipoise.policy.linear.ExpectedDesigns;
import io.equipoise.policy.linear.OwnIntervals;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import io.equipoise.policy.logistic.OddsBounds.OddsRange;
import org.ejml.data.DMatrixRMaj;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the interval of an effect from the W interval of its difference of log odds and from
 * the ellipsoid, which says how far the log odds themselves may be from those of the base rate.
 * Below a base rate of 1/2 the upper end of the log odds decides: the effect has the slope there.
 * An effect without an interval of its own has the ellipsoid's alone.
 */
final class ContrastOddsForecast extends OddsForecast {
  private final @Nullable ContrastForecast contrast;
  private final LogisticScale scale;
  private final @Nullable OwnIntervals own;
  private final ExpectedDesigns designs;
  private final boolean isFurther;

  /**
   * Prepares forecasts.
   *
   * @param alpha the probability with which one side of a contrast may ever miss; null where the
   *     spec wants none
   * @param own which comparisons have an interval of their own; null where none has
   * @param designs of what the rewards of one arm say of its people
   * @param isFurther whether another arm was certified first
   */
  ContrastOddsForecast(
      Expected expected,
      EffectScale effects,
      LogisticScale scale,
      @Nullable Double alpha,
      @Nullable OwnIntervals own,
      ExpectedDesigns designs,
      boolean isFurther) {
    super(expected, effects);
    this.scale = scale;
    this.own = own;
    this.designs = designs;
    this.isFurther = isFurther;
    double ofGrid = expected.tau();
    if (effects == EffectScale.LOG_ODDS) {
      ofGrid *= Logistic.slope(0) / slope();
    }
    contrast =
        alpha == null
            ? null
            : new ContrastForecast(
                new Expected(ofGrid, expected.delta(), expected.baseRate(), 1), scale.n(), alpha);
  }

  private ContrastOddsForecast(ContrastOddsForecast first) {
    super(first.expected, first.effects);
    contrast = first.contrast;
    scale = first.scale;
    own = first.own;
    designs = first.designs;
    isFurther = true;
  }

  @Override
  public CertificateForecast further() {
    return new ContrastOddsForecast(this);
  }

  @Override
  public boolean isOfEllipsoid(Levels levels) {
    return own == null || !(isFurther ? own.ofAllArms(levels) : own.ofSomeArm(levels));
  }

  @Override
  @Nullable Bound after(double decisions, Question question, double quantile) {
    double plays = expected.answered() * decisions * question.armShare();
    double others = designs.ofEachOther(expected.answered() * decisions, plays);
    ExpectedDesign design = designs.of(question.levels(), plays, others, isFurther);
    boolean isAlone = contrast == null || isOfEllipsoid(question.levels());
    double h = plays * slope();
    Widths widths = isAlone ? design.ofNarrowest(h) : design.after(h);
    if (widths.ridgeShare() >= EffectFinding.NO_OVERLAP_FROM) {
      return null;
    }
    double z = baseOdds() * (1 - widths.drawn());
    double lead = Math.signum(baseOdds()) * lead(design.kinds);
    double r = radius(design, widths, others);
    double[] theta = {z + lead * widths.apartOfOne(), z + lead * widths.apartOfOther()};
    DMatrixRMaj hessian = widths.inverse();
    if (contrast == null || isAlone) {
      double deviation = Math.sqrt(widths.ofDifference());
      theta[1] = theta[0] + question.effect() / slope() + quantile * deviation;
      OddsInterval alone = ellipse(theta, hessian, plays, r);
      return new Bound(AuditInterval.ELLIPSOID, alone.lower(), alone.upper(), 0, 0);
    }
    double[] odds = difference(contrast, plays - design.weightedFrom / slope(), question, quantile);
    OddsInterval ellipse = ellipse(theta, hessian, plays, r);
    Bound bound =
        Bound.of(
            AuditInterval.CONTRAST,
            range(theta[0], r * Math.sqrt(widths.ofOne())),
            range(theta[1], r * Math.sqrt(widths.ofOther())),
            odds[0],
            odds[1],
            0,
            0,
            effects);
    return new Bound(
        AuditInterval.CONTRAST,
        Math.max(bound.lower(), ellipse.lower()),
        Math.min(bound.upper(), ellipse.upper()),
        0,
        0);
  }

  private OddsInterval ellipse(double[] theta, DMatrixRMaj hessian, double plays, double r) {
    LogisticScale two = new LogisticScale(2, scale.s(), scale.lambda());
    ParameterEstimate estimate = ParameterEstimate.of(two, theta, hessian, (long) plays);
    PointPair pair = estimate.pair(new double[] {1, 0}, new double[] {0, 1}, effects);
    return new EffectEllipse(pair, r).interval();
  }

  /** Returns the ends of the difference of log odds after so many weighted rewards. */
  private double[] difference(
      ContrastForecast weights, double weighted, Question question, double quantile) {
    if (weighted <= 0) {
      return new double[] {-2 * scale.s(), 2 * scale.s()};
    }
    ForecastInterval interval = weights.after(weighted, new Question(question.levels(), 1, 0));
    double middle = (question.effect() + quantile * interval.deviation()) / slope();
    double half = interval.halfWidth() / slope();
    return new double[] {
      Math.max(-2 * scale.s(), middle - half), Math.min(2 * scale.s(), middle + half)
    };
  }

  private OddsRange range(double z, double reach) {
    return new OddsRange(Math.max(-scale.s(), z - reach), Math.min(scale.s(), z + reach));
  }

  /** Returns that of the audit: docs/math/logistic.md#the-radius, BIASED_LAPLACE. */
  private double radius(ExpectedDesign design, Widths widths, double ofEachOther) {
    double logs =
        widths.logDeterminant() + (designs.arms() - 1) * design.ofOtherArm(ofEachOther * slope());
    double squares = scale.s() * scale.s() + baseOdds() * baseOdds() * design.squaredNorm();
    double share = contrast == null ? 1 : DeltaShares.ELLIPSOID;
    return Math.sqrt(
        logs - 2 * StrictMath.log(share * expected.delta()) + scale.lambda() * squares);
  }
}
