package io.equipoise.policy.logistic;

import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.logistic.OddsBounds.Bound;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts when effects of logistic policies are certified: docs/math/weighted-sums.md#forecasts.
 * Limits come as shares of the range of rewards; on log odds they are taken at the base rate p, by
 * p (1 - p).
 */
abstract class OddsForecast implements CertificateForecast {
  private static final int STEPS = 40;

  /** No estimate is further off, in standard deviations. */
  private static final double FARTHEST = 5;

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  final Expected expected;
  final EffectScale effects;

  OddsForecast(Expected expected, EffectScale effects) {
    this.expected = expected;
    this.effects = effects;
  }

  /**
   * Returns what certifies an effect after some decisions; null while nothing bounds it.
   *
   * @param quantile how many standard deviations the estimate is off
   */
  abstract @Nullable Bound after(double decisions, Question question, double quantile);

  /** Returns p (1 - p). */
  final double slope() {
    return expected.baseRate() * (1 - expected.baseRate());
  }

  /** Returns the log odds of the base rate. */
  final double baseOdds() {
    return StrictMath.log(expected.baseRate()) - StrictMath.log1p(-expected.baseRate());
  }

  /**
   * Returns the standard deviations by which the least of so many independent normal numbers lies
   * below their mean, in half of all draws.
   */
  static double lead(double count) {
    return NORMAL.inverseCumulativeProbability(StrictMath.pow(0.5, 1 / count));
  }

  private boolean isCertified(double decisions, Question question, double limit, double quantile) {
    Bound bound = after(decisions, question, quantile);
    double unit = effects == EffectScale.LOG_ODDS ? slope() : 1;
    return bound != null && unit * Math.max(-bound.lower(), bound.upper()) <= limit;
  }

  @Override
  public double decisions(Question question, double limit, double quantile) {
    return CertificateForecast.fewest(at -> isCertified(at, question, limit, quantile));
  }

  @Override
  public double certified(Question question, double decisions) {
    double low = 0;
    double high = FARTHEST;
    if (!isCertified(decisions, question, expected.tau(), low)) {
      return 0;
    }
    for (int step = 0; step < STEPS; step++) {
      double middle = (low + high) / 2;
      boolean isCertified = isCertified(decisions, question, expected.tau(), middle);
      low = isCertified ? middle : low;
      high = isCertified ? high : middle;
    }
    return 2 * NORMAL.cumulativeProbability(low) - 1;
  }
}
