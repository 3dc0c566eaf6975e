package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.IntervalForecast;
import io.equipoise.policy.linear.ExpectedDesign.Widths;
import org.apache.commons.math3.distribution.NormalDistribution;

/**
 * Forecasts when the ellipsoid of a ridge model certifies an effect that has no interval of its
 * own: docs/math/weighted-sums.md#forecasts.
 *
 * @param radius beta of the ellipsoid
 * @param span greatest minus least mean reward
 * @param isFurther whether another arm was certified first
 */
record EllipsoidForecast(
    Expected expected,
    ExpectedDesigns designs,
    Radius.SelfNormalized radius,
    double ridge,
    double span,
    boolean isFurther)
    implements IntervalForecast {
  /**
   * How many times the decisions of an even split it takes until the first certificate where all
   * arms count, above 1: the people of one level may mostly get one arm, and those of the other
   * another. In half of all runs, and the deviation of its logarithm, as measured.
   */
  private static final double SPLIT = 1.0 / 3;

  private static final double SPLIT_DEVIATION = 1.25;

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  @Override
  public boolean isOfAllArms(Levels levels) {
    return !isFurther && designs.areOfAllArms(levels);
  }

  @Override
  public double decisions(Question question, double limit, double quantile) {
    if (!isOfAllArms(question.levels())) {
      return IntervalForecast.super.decisions(question, limit, quantile);
    }
    double z = NORMAL.inverseCumulativeProbability(2 * NORMAL.cumulativeProbability(quantile) - 1);
    return IntervalForecast.super.decisions(question, limit, MEDIAN)
        * (1 + SPLIT * StrictMath.exp(SPLIT_DEVIATION * z));
  }

  @Override
  public double certified(Question question, double decisions) {
    if (!isOfAllArms(question.levels())) {
      return IntervalForecast.super.certified(question, decisions);
    }
    double even = IntervalForecast.super.decisions(question, expected.tau(), MEDIAN);
    double longer = decisions / even - 1;
    return longer <= 0
        ? 0
        : NORMAL.cumulativeProbability(StrictMath.log(longer / SPLIT) / SPLIT_DEVIATION);
  }

  @Override
  public ForecastInterval after(double decisions, Question question) {
    double own = expected.answered() * decisions * question.armShare();
    double others =
        isOfAllArms(question.levels())
            ? 0
            : designs.ofEachOther(expected.answered() * decisions, own);
    ExpectedDesign design = designs.of(question.levels(), own, others, isFurther);
    Widths widths = design.ofNarrowest(own);
    double logs = widths.logDeterminant() + (designs.arms() - 1) * design.ofOtherArm(others);
    int position = designs.isShared() ? LinearBlocks.SHARED : isFurther ? 1 : 0;
    double width = Math.sqrt(widths.ofDifference());
    double noise = expected.baseRate() * (1 - expected.baseRate());
    return new ForecastInterval(
        radius.of(logs, ridge, position) * width / span,
        Math.sqrt(noise) * width,
        1 / widths.ofDifference());
  }
}
