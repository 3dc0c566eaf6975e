package io.equipoise.tools.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.job.check.CertificatePlan;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares forecasts of the first certificate (docs/math/weighted-sums.md#forecasts) with the
 * median of simulated runs.
 */
class PlanAgainstSimulationTest {
  private static final List<Double> HALVES = List.of(.5, .5);
  private static final List<Double> RARE = List.of(.45, .45, .1);
  private static final double FACTOR = 1.5;

  /** One setting; gender has as many levels as shares, offers pay the base rate. */
  private record Setting(
      String name,
      Model model,
      List<Double> shares,
      int offers,
      double baseRate,
      double tau,
      double delta,
      String explore,
      double answered) {
    private String levels() {
      return String.join(", ", Collections.unmodifiableList(names("g", shares.size())));
    }

    private static List<String> names(String letter, int count) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        names.add(letter + i);
      }
      return names;
    }

    CompiledSpec spec() {
      return CompiledSpec.of(
          SpecParser.parse(
              """
              name: planned
              version: 1
              segments: default
              variables:
                age: {role: context, levels: [a, b, c, d]}
                income: {role: context, levels: [a, b, c, d]}
                region: {role: context, levels: [a, b, c, d]}
                gender: {role: sensitive, levels: [%s], missing: reject}
                offer: {role: action, levels: [%s]}
                repaid: {role: reward}
              graph: "dag { %s gender -> repaid offer -> repaid }"
              reward: {range: [0, 1]}
              policy: {%s, explore: {%s}}
              fairness: {tau: %s, delta: %s}
              join: {reward-window: 1d}
              """
                  .formatted(
                      levels(),
                      String.join(", ", names("o", offers)),
                      model.edges,
                      model.policy,
                      explore,
                      tau,
                      delta)));
    }

    double planned(CompiledSpec spec) {
      People people = new People(Map.of("gender", shares), baseRate, 0, answered, 0);
      return CertificatePlan.of(spec.policy(), people).orElseThrow().slowest().median();
    }

    double simulated(CompiledSpec spec, int decisions, int seeds) {
      StringBuilder levels = new StringBuilder();
      for (int i = 0; i < shares.size(); i++) {
        levels.append(i == 0 ? "" : ", ").append('g').append(i).append(": ").append(shares.get(i));
      }
      String world = "{base-rate: %s, levels: {gender: {%s}}}".formatted(baseRate, levels);
      World people = World.of(spec.spec(), WorldFile.parse("world", world), null);
      Simulation simulation =
          new Simulation(spec, people, new SimulationSettings(decisions, 1, 1, 0, answered));
      List<Integer> firsts = new ArrayList<>();
      for (int seed = 1; seed <= seeds; seed++) {
        int first = simulation.run(seed).firstCertified();
        firsts.add(first == 0 ? Integer.MAX_VALUE : first);
      }
      Collections.sort(firsts);
      return firsts.get(seeds / 2);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private enum Model {
    SHARED(
        "age -> repaid income -> repaid region -> repaid",
        "name: linucb, model: shared, constraint: hard, features: [intercept, one-hot: age,"
            + " one-hot: income, one-hot: region, one-hot: gender, one-hot: offer, product:"
            + " [{one-hot: gender}, {one-hot: offer}]]"),
    DISJOINT(
        "age -> repaid income -> repaid region -> repaid",
        "name: linucb, model: disjoint, constraint: hard, features: [intercept, one-hot: age,"
            + " one-hot: income, one-hot: region, one-hot: gender]"),
    CELLS("age; income; region;", "name: f-ucb"),
    BLOCKS("age -> repaid; income; region;", "name: f-ucb"),
    LOGISTIC(
        "age -> repaid; income; region;",
        "name: screen, slack: 0, theta-norm: 5, features: [intercept, one-hot: age,"
            + " one-hot: gender, one-hot: offer, product: [{one-hot: gender}, {one-hot:"
            + " offer}]]"),
    LOGISTIC_WIDE(
        "age -> repaid income -> repaid region -> repaid",
        "name: screen, slack: 0, theta-norm: 5, features: [intercept, one-hot: age, one-hot:"
            + " income, one-hot: region, one-hot: gender, one-hot: offer, product: [{one-hot:"
            + " gender}, {one-hot: offer}]]");

    private final String edges;
    private final String policy;

    Model(String edges, String policy) {
      this.edges = edges;
      this.policy = policy;
    }
  }

  private static Setting ridge(
      Model model, List<Double> shares, double baseRate, double tau, double share) {
    return setting(model, shares, 3, baseRate, tau, .05, all(share), 1);
  }

  private static Setting oneArm(double tau) {
    return setting(Model.LOGISTIC_WIDE, HALVES, 1, .5, tau, .05, all(.1), 1);
  }

  private static Setting cells(double baseRate, double tau) {
    return setting(Model.CELLS, HALVES, 3, baseRate, tau, .05, all(.1), 1);
  }

  private static String all(double share) {
    return "share: %s, over: all".formatted(share);
  }

  private static Setting setting(
      Model model,
      List<Double> shares,
      int offers,
      double baseRate,
      double tau,
      double delta,
      String explore,
      double answered) {
    String name =
        "%s, shares %s, %d offers, base rate %s, tau %s, delta %s, %s, answered %s"
            .formatted(
                model.name().toLowerCase(Locale.ROOT),
                shares,
                offers,
                baseRate,
                tau,
                delta,
                explore,
                answered);
    return new Setting(name, model, shares, offers, baseRate, tau, delta, explore, answered);
  }

  /** At low rates intervals are wide for long, and the rule gives a target far away little. */
  private static final Setting CLICKS =
      setting(Model.DISJOINT, HALVES, 4, .04, .04, .05, "over: balanced", 1);

  @Test
  void aGoalIsForecastAtAClickRateToo() {
    CompiledSpec spec = CLICKS.spec();
    double planned = CLICKS.planned(spec);
    double simulated = CLICKS.simulated(spec, (int) (2.5 * planned), Tier.count(5, 50));
    Tier.found(
        getClass(),
        "clicks, balanced: planned, simulated",
        "%.0f, %.0f".formatted(planned, simulated));
    assertThat(simulated).isBetween(planned / FACTOR, planned * FACTOR);
  }

  private static Stream<Setting> settings() {
    String target = "over: balanced";
    List<Setting> all =
        List.of(
            ridge(Model.SHARED, HALVES, .5, .1, .1),
            cells(.5, .1),
            setting(Model.SHARED, HALVES, 3, .5, .1, .05, target, 1),
            setting(Model.CELLS, HALVES, 3, .5, .1, .05, target, 1),
            setting(Model.BLOCKS, HALVES, 3, .5, .2, .05, target, 1),
            setting(Model.LOGISTIC, HALVES, 3, .5, .15, .05, target, 1),
            ridge(Model.SHARED, RARE, .5, .1, .1),
            ridge(Model.SHARED, HALVES, .08, .1, .1),
            ridge(Model.DISJOINT, HALVES, .5, .1, .1),
            ridge(Model.DISJOINT, RARE, .5, .1, .1),
            ridge(Model.SHARED, HALVES, .5, .05, .1),
            ridge(Model.SHARED, HALVES, .5, .2, .1),
            ridge(Model.SHARED, HALVES, .5, .1, .5),
            ridge(Model.SHARED, RARE, .5, .1, .5),
            ridge(Model.SHARED, HALVES, .08, .05, .1),
            ridge(Model.SHARED, RARE, .08, .1, .1),
            ridge(Model.DISJOINT, HALVES, .5, .07, .2),
            oneArm(.15),
            oneArm(.1),
            oneArm(.05),
            cells(.05, .1),
            cells(.05, .05),
            cells(.2, .1),
            cells(.2, .05),
            cells(.5, .05),
            setting(Model.SHARED, HALVES, 2, .5, .1, .05, all(.1), 1),
            setting(Model.SHARED, HALVES, 5, .3, .15, .05, all(.2), 1),
            setting(Model.SHARED, List.of(.8, .2), 3, .5, .1, .05, all(.1), 1),
            setting(Model.SHARED, HALVES, 3, .5, .1, .2, all(.1), 1),
            setting(Model.SHARED, HALVES, 3, .5, .1, .05, all(.1), .5),
            setting(Model.SHARED, RARE, 3, .5, .1, .05, target, 1),
            setting(Model.SHARED, HALVES, 3, .08, .1, .05, target, 1),
            CLICKS,
            setting(Model.CELLS, List.of(.8, .2), 3, .5, .1, .05, all(.1), 1),
            setting(Model.CELLS, HALVES, 2, .3, .1, .01, all(.2), 1),
            setting(Model.CELLS, RARE, 3, .5, .15, .05, all(.1), .5));
    return all.stream().limit(Tier.count(5, all.size()));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void theForecastIsNearTheMedianOfRuns(Setting setting) {
    CompiledSpec spec = setting.spec();
    double planned = setting.planned(spec);
    int seeds = Tier.count(3, 50);
    double simulated = setting.simulated(spec, (int) (2.5 * planned), seeds);
    Tier.found(
        getClass(),
        setting.name() + ": planned, simulated",
        "%.0f, %.0f".formatted(planned, simulated));
    assertThat(simulated).isBetween(planned / FACTOR, planned * FACTOR);
  }
}
