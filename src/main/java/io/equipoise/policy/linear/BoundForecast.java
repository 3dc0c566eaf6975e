package io.equipoise.policy.linear;

import io.equipoise.policy.CertificateForecast;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts each comparison by the bound that answers it: by that of its own interval, or where it
 * has none by the ellipsoid's.
 *
 * @param contrast of intervals of their own; null where the spec wants none
 * @param own which comparisons have one; null where none has
 * @param first the ellipsoid's, of the first certified arm
 * @param next the ellipsoid's, of each further one
 */
record BoundForecast(
    @Nullable CertificateForecast contrast,
    @Nullable OwnIntervals own,
    EllipsoidForecast first,
    EllipsoidForecast next,
    boolean isFurther)
    implements CertificateForecast {
  private CertificateForecast of(Levels levels) {
    return contrast == null || isOfEllipsoid(levels) ? isFurther ? next : first : contrast;
  }

  @Override
  public boolean isOfEllipsoid(Levels levels) {
    return own == null || !(isFurther ? own.ofAllArms(levels) : own.ofSomeArm(levels));
  }

  @Override
  public boolean isOfAllArms(Levels levels) {
    return of(levels).isOfAllArms(levels);
  }

  @Override
  public CertificateForecast further() {
    return new BoundForecast(contrast, own, first, next, true);
  }

  @Override
  public double decisions(Question question, double limit, double quantile) {
    return of(question.levels()).decisions(question, limit, quantile);
  }

  @Override
  public double certified(Question question, double decisions) {
    return of(question.levels()).certified(question, decisions);
  }
}
