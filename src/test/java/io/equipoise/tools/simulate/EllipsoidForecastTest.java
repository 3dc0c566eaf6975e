package io.equipoise.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.job.check.CertificatePlan;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares forecasts of the first certificate (docs/math/weighted-sums.md#forecasts) with runs
 * where the ellipsoid answers, because the effects depend on a number.
 */
@Tag("slow")
class EllipsoidForecastTest {
  private static final double FACTOR = 1.5;

  private static final String OFFERS =
      """
        offer: {role: action, levels: [s, m, l]}
        y: {role: reward}
      graph: "dag { {gender age offer} -> y }"
      arms: all
      """;

  private static final String PRICES =
      """
        price: {role: action, range: [0, 100], usual-range: [0, 100]}
        y: {role: reward}
      graph: "dag { {gender age price} -> y }"
      arms:
      - {id: p10, price: 10}
      - {id: p30, price: 30}
      - {id: p50, price: 50}
      - {id: p70, price: 70}
      - {id: p90, price: 90}
      """;

  private static CompiledSpec spec(
      String age, String arms, String policy, String explore, String fairness) {
    return CompiledSpec.of(
        SpecParser.parse(
            """
            name: planned
            version: 1
            segments: default
            variables:
              gender: {role: sensitive, levels: [f, m], missing: reject}
              age: {role: context, missing: reject, %s}
            %s
            reward: {range: [0, 1]}
            policy: {%s, explore: %s}
            fairness: {%s}
            join: {reward-window: 1d}
            """
                .formatted(age, arms, policy, explore, fairness)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p  | levels | name: linucb, model: shared, constraint: hard | {share: 0.2, over: all} | tau: 0.25",
        "p  | levels | name: linucb, model: shared, constraint: hard | certify | tau: 0.25",
        "p  | levels | name: screen, slack: 0, theta-norm: 5 | balanced | tau: 0.2",
        "o  | number | name: linucb, model: shared, constraint: hard, features: [intercept, one-hot: gender, number: age, one-hot: offer, product: [{one-hot: gender}, {number: age}], product: [{one-hot: gender}, {one-hot: offer}]] | {share: 0.2, over: all} | tau: 0.3",
        "o  | number | name: linucb, model: disjoint, constraint: hard, features: [intercept, one-hot: gender, number: age, product: [{one-hot: gender}, {number: age}]] | {share: 0.2, over: all} | tau: 0.3",
        "o  | number | name: screen, slack: 0, theta-norm: 5 | balanced | tau: 0.2",
        "o  | levels | name: linucb, model: shared, constraint: hard | {share: 0.2, over: all} | 'tau: 0.25, certificates: {interval: ellipsoid}'",
        "o  | levels | name: screen, slack: 0, theta-norm: 5 | balanced | 'tau: 0.2, certificates: {interval: ellipsoid}'",
      })
  void theForecastIsNearTheMedianOfRuns(
      String arms, String age, String policy, String explore, String fairness) {
    CompiledSpec spec =
        spec(
            age.equals("number")
                ? "range: [0, 100], usual-range: [0, 100], cuts: [50]"
                : "levels: [a, b]",
            arms.equals("p") ? PRICES : OFFERS,
            policy,
            explore,
            fairness);
    CertificatePlan plan = CertificatePlan.of(spec.policy(), People.of(spec.spec())).orElseThrow();
    assertThat(plan.ellipsoid().orElseThrow()).startsWith("the ellipsoid, which certifies later");
    double planned = plan.slowest().median();
    int seeds = Tier.count(3, 11);
    World world = World.of(spec.spec(), WorldFile.parse("world", "{base-rate: 0.5}"), null);
    SimulationSettings settings = new SimulationSettings((int) (3 * planned), 1, 1, 0, 1);
    Simulation simulation = new Simulation(spec, world, settings);
    double[] firsts = new double[seeds];
    Arrays.setAll(firsts, seed -> simulation.run(seed + 1).firstCertified());
    Arrays.sort(firsts);
    double median = firsts[seeds / 2];
    Tier.found(
        getClass(),
        "%s, %s, %s, %s: planned, median".formatted(arms, age, policy, explore + ", " + fairness),
        "%.0f, %.0f".formatted(planned, median));
    assertThat(median).isBetween(planned / FACTOR, planned * FACTOR);
  }
}
