package io.equipoise.policy.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.policy.kernel.Logarithm;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The boundary of the W interval: golden values, and where rounding could show. */
class ContrastBoundaryTest {
  private static double[] numbers(JsonNode array) {
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = array.get(i).asDouble();
    }
    return numbers;
  }

  @Test
  void gridAndBoundaryAreTheGoldenOnes() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("/certificates/boundary.json"))) {
      JsonNode cases = new ObjectMapper().readTree(in).get("cases");
      assertThat(cases).hasSize(3);
      for (JsonNode one : cases) {
        double[] grid = ContrastBoundary.grid(one.get("tau").asDouble());
        double[] expected = numbers(one.get("lambdas"));
        assertThat(grid).hasSize(expected.length);
        for (int j = 0; j < grid.length; j++) {
          assertThat(grid[j]).isCloseTo(expected[j], within(1e-9 * expected[j]));
        }
        double u = one.get("u").asDouble();
        double of =
            ContrastBoundary.of(
                grid,
                numbers(one.get("penalties")),
                one.get("V").asDouble(),
                one.get("alpha").asDouble());
        assertThat(of).isCloseTo(u, within(1e-9 * u));
      }
    }
  }

  /**
   * Sixty halvings of the formula of docs/math/weighted-sums.md#the-boundary; never below the root.
   */
  @Test
  void boundaryIsTheOuterEndOfSixtyHalvings() {
    for (double tau : new double[] {0.002, 0.05, 0.3}) {
      double[] grid = ContrastBoundary.grid(tau);
      for (double squares : new double[] {0, 1e-3, 1, 60, 5000, 4e6}) {
        for (double alpha : new double[] {1e-9, 0.0075, 0.4}) {
          double[] penalties = new double[grid.length];
          for (int j = 0; j < grid.length; j++) {
            penalties[j] = squares * Logarithm.psi(grid[j]) / 5;
          }
          double plain = plain(grid, penalties, squares, alpha);
          double of = ContrastBoundary.of(grid, penalties, squares, alpha);
          assertThat(of)
              .as("tau %s, V %s, alpha %s", tau, squares, alpha)
              .isCloseTo(plain, within(2e-12 * plain))
              .isGreaterThanOrEqualTo(plain * (1 - 1e-13));
          for (double limit : new double[] {.3 * of, .999 * of, 1.001 * of, 40 * of}) {
            double within = ContrastBoundary.within(limit, grid, penalties, squares, alpha);
            assertThat(within)
                .isCloseTo(Math.min(limit, plain), within(2e-12 * plain))
                .isGreaterThanOrEqualTo(Math.min(limit, plain) * (1 - 1e-13));
            double floor = ContrastBoundary.floor(limit, grid, penalties, squares, alpha);
            assertThat(floor >= limit).isEqualTo(limit < of);
            assertThat(floor).isLessThan(of);
          }
          double close = (1 - 1e-10) * of;
          assertThat(ContrastBoundary.floor(close, grid, penalties, squares, alpha)).isZero();
        }
      }
    }
  }

  private static double plain(double[] grid, double[] penalties, double squares, double alpha) {
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    double logs = Math.log(1 / alpha) + Math.log(2.0 * grid.length);
    for (int j = 0; j < grid.length; j++) {
      high = Math.min(high, (penalties[j] + logs) / grid[j]);
    }
    for (int i = 0; i < 60; i++) {
      double u = (low + high) / 2;
      double sum = 0;
      for (int j = 0; j < grid.length; j++) {
        sum += Math.exp(grid[j] * u - penalties[j] - logs);
        sum += Math.exp(grid[j] * u - grid[j] * grid[j] * squares / 8 - logs);
      }
      low = sum < 1 ? u : low;
      high = sum < 1 ? high : u;
    }
    return high;
  }

  @Test
  void smallerAlphaAndMoreSquaresReachFurther() {
    double[] grid = ContrastBoundary.grid(0.1);
    double[] none = new double[grid.length];
    double[] some = none.clone();
    Arrays.fill(some, 1);
    double u = ContrastBoundary.of(grid, none, 10, 0.05);
    assertThat(ContrastBoundary.of(grid, none, 10, 0.01)).isGreaterThan(u);
    assertThat(ContrastBoundary.of(grid, some, 10, 0.05)).isGreaterThan(u);
    assertThat(ContrastBoundary.of(grid, some, 20, 0.05))
        .isGreaterThan(ContrastBoundary.of(grid, some, 10, 0.05));
    assertThatThrownBy(() -> ContrastBoundary.grid(0)).hasMessageContaining("tau 0.0");
  }
}
