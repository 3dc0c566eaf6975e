package io.equipoise.policy.constraint;

import io.equipoise.policy.CertificateForecast;

/** Forecasts certificates by intervals around an estimate with normal noise. */
public interface IntervalForecast extends CertificateForecast {
  /**
   * The interval after some decisions, in shares of the range of rewards.
   *
   * @param halfWidth how far the interval reaches to both sides
   * @param deviation standard deviation of the estimate
   * @param information how many observations of the effect the rewards amount to
   */
  record ForecastInterval(double halfWidth, double deviation, double information) {}

  /** Returns what is expected of the segment. */
  Expected expected();

  /** Returns the interval after some decisions of the segment. */
  ForecastInterval after(double decisions, Question question);

  @Override
  default double decisions(Question question, double limit, double quantile) {
    return CertificateForecast.fewest(
        at -> {
          ForecastInterval interval = after(at, question);
          double reach = interval.halfWidth() + quantile * interval.deviation();
          return reach + Math.abs(question.effect()) <= limit;
        });
  }

  @Override
  default double certified(Question question, double decisions) {
    ForecastInterval interval = after(decisions, question);
    return CertificateForecast.within(
        expected().tau(), question.effect(), interval.halfWidth(), interval.deviation());
  }
}
