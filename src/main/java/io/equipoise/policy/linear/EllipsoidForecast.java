package io.equipoise.policy.linear;

import io.equipoise.policy.constraint.IntervalForecast;
import io.equipoise.policy.linear.ExpectedDesign.Widths;

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
  @Override
  public ForecastInterval after(double decisions, Question question) {
    double own = expected.answered() * decisions * question.armShare();
    double others = designs.ofEachOther(expected.answered() * decisions, own);
    ExpectedDesign design = designs.of(question.levels(), own, others, isFurther);
    Widths widths = design.ofNarrowest(own);
    double logs = widths.logDeterminant() + (designs.arms() - 1) * design.ofOtherArm(others);
    int position = designs.isShared() ? LinearBlocks.SHARED : isFurther ? 1 : 0;
    double width = Math.sqrt(widths.ofDifference());
    double noise = expected.baseRate() * (1 - expected.baseRate());
    return new ForecastInterval(
        radius.of(expected.size() * logs, ridge, position) * width / span,
        Math.sqrt(noise) * width,
        1 / widths.ofDifference());
  }
}
