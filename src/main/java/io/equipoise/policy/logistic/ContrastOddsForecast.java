package io.equipoise.policy.logistic;

import io.equipoise.event.AuditInterval;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.constraint.ContrastForecast.ForecastInterval;
import io.equipoise.policy.constraint.DeltaShares;
import io.equipoise.policy.constraint.EarnRule;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import io.equipoise.policy.logistic.OddsBounds.OddsRange;
import io.equipoise.segmentspec.ExploreSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.ejml.data.DMatrixRMaj;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts the interval of an effect from the W interval of its difference of log odds and from
 * the ellipsoid, which says how far the log odds themselves may be from those of the base rate.
 * Below a base rate of 1/2 the upper end of the log odds decides: the effect has the slope there.
 */
final class ContrastOddsForecast extends OddsForecast {
  private final ContrastForecast contrast;
  private final LogisticScale scale;
  private final int arms;
  private final ExploreSpec explore;
  private final Function<Levels, ExpectedDesign> designs;
  private final Map<Levels, ExpectedDesign> known = new HashMap<>();

  /**
   * Prepares forecasts.
   *
   * @param alpha the probability with which one side of a contrast may ever miss
   * @param designs makes what the rewards of one arm say of its people
   */
  ContrastOddsForecast(
      Expected expected,
      EffectScale effects,
      LogisticScale scale,
      double alpha,
      int arms,
      ExploreSpec explore,
      Function<Levels, ExpectedDesign> designs) {
    super(expected, effects);
    this.scale = scale;
    this.arms = arms;
    this.explore = explore;
    this.designs = designs;
    double ofGrid = expected.tau();
    if (effects == EffectScale.LOG_ODDS) {
      ofGrid *= Logistic.slope(0) / slope();
    }
    contrast =
        new ContrastForecast(
            new Expected(ofGrid, expected.delta(), expected.baseRate(), 1, 1),
            (int) Math.ceil(scale.n() * expected.size()),
            alpha);
  }

  @Override
  @Nullable Bound after(double decisions, Question question, double quantile) {
    ExpectedDesign design = known.computeIfAbsent(question.levels(), designs);
    double own = expected.answered() * decisions * question.armShare();
    ExpectedDesign.Widths widths = design.after(own * slope());
    if (widths.ridgeShare() >= EffectFinding.NO_OVERLAP_FROM) {
      return null;
    }
    double weighted = own - design.weightedFrom / slope();
    double[] odds = difference(weighted, question, quantile);
    double z = baseOdds() * (1 - widths.drawn());
    double lead = Math.signum(baseOdds()) * lead(design.kinds);
    double r = radius(design, widths, own, decisions);
    double size = Math.sqrt(expected.size());
    double[] theta = {
      z + lead * size * widths.apartOfOne(), z + lead * size * widths.apartOfOther()
    };
    DMatrixRMaj hessian = widths.inverse(1 / expected.size());
    ParameterEstimate estimate =
        ParameterEstimate.of(
            new LogisticScale(2, scale.s(), scale.lambda()), theta, hessian, (long) own);
    Point one = estimate.at(new double[] {1, 0});
    Point other = estimate.at(new double[] {0, 1});
    OddsInterval ellipse = new EffectEllipse(estimate, one, other, r, effects).interval();
    Bound bound =
        Bound.of(
            AuditInterval.CONTRAST,
            range(theta[0], r * size * Math.sqrt(widths.ofOne())),
            range(theta[1], r * size * Math.sqrt(widths.ofOther())),
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

  /** Returns the ends of the difference of log odds after so many weighted rewards. */
  private double[] difference(double weighted, Question question, double quantile) {
    if (weighted <= 0) {
      return new double[] {-2 * scale.s(), 2 * scale.s()};
    }
    ForecastInterval interval = contrast.after(weighted, new Question(question.levels(), 1, 0));
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
  private double radius(
      ExpectedDesign design, ExpectedDesign.Widths widths, double own, double decisions) {
    double others = expected.answered() * decisions - own;
    if (explore.earns()) {
      others = EarnRule.decisions(explore.over(), own) - own;
      others += EarnRule.turns(arms) * (arms - 1.0);
    }
    double ofEach = others / Math.max(1, arms - 1);
    double logs = widths.logDeterminant() + (arms - 1) * design.ofOtherArm(ofEach * slope());
    double squares = scale.s() * scale.s() + baseOdds() * baseOdds() * design.squaredNorm();
    return Math.sqrt(
        expected.size() * logs
            - 2 * StrictMath.log(DeltaShares.ELLIPSOID * expected.delta())
            + scale.lambda() * squares);
  }
}
