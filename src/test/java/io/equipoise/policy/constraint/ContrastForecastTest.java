package io.equipoise.policy.constraint;

import static io.equipoise.policy.CertificateForecast.MEDIAN;
import static io.equipoise.policy.CertificateForecast.NINETY_PERCENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.CertificateForecast.Question;
import io.equipoise.policy.constraint.IntervalForecast.ForecastInterval;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The forecast of the W interval: golden values, and how it answers to what it is given. */
class ContrastForecastTest {
  private static final double ALPHA = 0.9 * 0.05 / 6;
  private static final Question EVENLY = question(0.9, 0.5, 0.5, 0);

  private static Question question(double armShare, double one, double other, double effect) {
    return new Question(new Levels(0, 0, 1, one, other), armShare, effect);
  }

  private static JsonNode golden() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            ContrastForecastTest.class.getResourceAsStream("/certificates/forecast.json"))) {
      return new ObjectMapper().readTree(in);
    }
  }

  private static ContrastForecast forecast(JsonNode one, int contrasts) {
    return new ContrastForecast(
        new Expected(
            one.get("tau").asDouble(), one.get("delta").asDouble(), one.get("base").asDouble(), 1),
        one.get("d").asInt(),
        0.9 * one.get("delta").asDouble() / (2 * contrasts));
  }

  private static Offset<Double> close(double expected) {
    return within(1e-9 * expected);
  }

  @Test
  void intervalsAreTheGoldenOnes() throws IOException {
    JsonNode half = golden().get("half");
    assertThat(half).hasSize(3);
    for (JsonNode one : half) {
      ForecastInterval interval =
          forecast(one, one.get("contrasts").asInt())
              .after(
                  one.get("n").asDouble(),
                  question(
                      one.get("pi").asDouble(),
                      one.get("sg").asDouble(),
                      one.get("sh").asDouble(),
                      0));
      JsonNode result = one.get("result");
      double[] expected = {
        result.get(0).asDouble(), result.get(1).asDouble(), result.get(2).asDouble()
      };
      assertThat(interval.halfWidth()).isCloseTo(expected[0], close(expected[0]));
      assertThat(interval.deviation()).isCloseTo(expected[1], close(expected[1]));
      assertThat(interval.information()).isCloseTo(expected[2], close(expected[2]));
    }
  }

  /** An arm that only exploration plays; the first arm is in the test of the plan. */
  @Test
  void decisionsUnderExplorationAloneAreTheGoldenOnes() throws IOException {
    JsonNode first = golden().get("first");
    assertThat(first).hasSize(5);
    for (JsonNode one : first) {
      JsonNode shares = one.get("shares");
      int levels = shares.size();
      int arms = one.get("arms").asInt();
      Question rarest =
          question(
              one.get("explore").asDouble() / arms,
              shares.get(levels - 1).asDouble(),
              shares.get(0).asDouble(),
              0);
      double expected = one.get("byExplorationAlone").asDouble();
      double tau = one.get("tau").asDouble();
      assertThat(forecast(one, arms * levels * (levels - 1) / 2).decisions(rarest, tau, MEDIAN))
          .isCloseTo(expected, close(expected));
    }
  }

  @Test
  void lessIsNeededForLess() {
    ContrastForecast forecast = new ContrastForecast(new Expected(0.1, 0.05, 0.5, 1), 24, ALPHA);
    double median = forecast.decisions(EVENLY, 0.1, MEDIAN);
    assertThat(forecast.decisions(EVENLY, 0.1, NINETY_PERCENT)).isGreaterThan(median);
    assertThat(forecast.decisions(EVENLY, 0.2, MEDIAN)).isLessThan(median);
    assertThat(forecast.decisions(question(0.9, 0.5, 0.5, 0.05), 0.1, MEDIAN))
        .isGreaterThan(median);
    assertThat(forecast.decisions(question(0.9, 0.9, 0.1, 0), 0.1, MEDIAN)).isGreaterThan(median);
    assertThat(
            new ContrastForecast(new Expected(0.1, 0.05, 0.5, 0.5), 24, ALPHA)
                .decisions(EVENLY, 0.1, MEDIAN))
        .isCloseTo(2 * median, within(1e-6 * median));
    assertThat(forecast.decisions(question(0.9, 0.5, 0.5, 0.1), 0.1, MEDIAN))
        .as("an effect of tau is never certified")
        .isCloseTo(CertificateForecast.NEVER, close(CertificateForecast.NEVER));
  }

  @Test
  void halfOfTheRunsAreCertifiedAtTheMedian() {
    ContrastForecast forecast = new ContrastForecast(new Expected(0.1, 0.05, 0.5, 1), 24, ALPHA);
    double median = forecast.decisions(EVENLY, 0.1, MEDIAN);
    assertThat(forecast.certified(EVENLY, median)).isCloseTo(0.5, within(1e-4));
    assertThat(forecast.certified(EVENLY, forecast.decisions(EVENLY, 0.1, NINETY_PERCENT)))
        .isCloseTo(0.9, within(1e-4));
    assertThat(forecast.certified(EVENLY, 100)).isLessThan(0.01);
  }

  @Test
  void impossibleExpectationsAreRefused() {
    assertThatThrownBy(() -> new Expected(0.1, 0.05, 1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("base rate 1.0");
    assertThatThrownBy(() -> new ContrastForecast(new Expected(0.1, 0.05, 0.5, 1), 0, ALPHA))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 features");
  }
}
