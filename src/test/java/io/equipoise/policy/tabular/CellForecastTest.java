package io.equipoise.policy.tabular;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.CertificateForecast.Question;
import io.equipoise.segmentspec.SpecParser;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forecast over cells: docs/math/weighted-sums.md#forecasts. */
class CellForecastTest {
  private static final Levels EVENLY = new Levels(1, 0, 1, 0.5, 0.5);

  /** 36 cells in 18 pairs: six regions, two genders, three arms. */
  private static TabularPolicy policy() {
    return TabularPolicy.compile(
        SpecParser.parse(
            """
            name: cells
            version: 1
            segments: default
            variables:
              region: {role: context, levels: [a, b, c, d, e, f]}
              gender: {role: sensitive, levels: [f, m], missing: reject}
              offer: {role: action, levels: [small, standard, large]}
              repaid: {role: reward}
            graph: "dag { region -> repaid; gender -> repaid; offer -> repaid }"
            reward: {range: [0, 1], bounded: true}
            policy: {name: f-ucb, explore: {share: 0.1, over: all}}
            fairness: {tau: 0.1, delta: 0.05, confidence: joint}
            join: {reward-window: 1h, dedup-window: 1h}
            """));
  }

  private static CertificateForecast forecast(double tau, double delta, double baseRate) {
    return Objects.requireNonNull(policy().forecast(new Expected(tau, delta, baseRate, 1)));
  }

  /** The numbers are of a version that has all of delta; here it has four fifths. */
  @ParameterizedTest
  @CsvSource({
    "0.05, 0.1, 758", "0.05, 0.05, 2939", "0.2, 0.1, 2304",
    "0.2, 0.05, 10021", "0.5, 0.1, 2668", "0.5, 0.05, 11647"
  })
  void rewardsOfAContrastAreThoseOfTheSpecification(double rate, double tau, double rewards) {
    double decisions =
        forecast(tau, 0.05 / 0.8, rate)
            .decisions(new Question(EVENLY, 1, 0), tau, CertificateForecast.MEDIAN);
    assertThat(decisions / 6).isCloseTo(rewards, within(3.0));
  }

  @Test
  void lessIsNeededForLess() {
    CertificateForecast forecast = forecast(0.1, 0.05, 0.5);
    double median = median(forecast, EVENLY, 1);
    assertThat(median(forecast, EVENLY, 0.5)).isCloseTo(2 * median, within(0.01 * median));
    assertThat(median(forecast, new Levels(1, 0, 1, 0.1, 0.9), 1)).isGreaterThan(2 * median);
    assertThat(median(forecast(0.1, 0.2, 0.5), EVENLY, 1)).isLessThan(0.95 * median);
    assertThat(forecast.certified(new Question(EVENLY, 1, 0), median / 2)).isLessThan(0.01);
    assertThat(forecast.certified(new Question(EVENLY, 1, 0), median)).isCloseTo(0.5, within(0.02));
    assertThat(forecast.certified(new Question(EVENLY, 1, 0), 2 * median)).isGreaterThan(0.99);
  }

  private static double median(CertificateForecast forecast, Levels levels, double share) {
    return forecast.decisions(new Question(levels, share, 0), 0.1, CertificateForecast.MEDIAN);
  }
}
