package io.equipoise.job.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CertificatePlan.PlanRow;
import io.equipoise.job.check.CertificatePlan.Remedy;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.CertificateForecast.Expected;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.CertificateForecast.Question;
import io.equipoise.policy.constraint.ContrastForecast;
import io.equipoise.policy.linear.LinearPolicy;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plan of docs/math/weighted-sums.md#forecasts in a test world. */
class CertificatePlanTest {
  private static final List<Double> HALVES = List.of(0.5, 0.5);
  private static final List<Double> RARE = List.of(0.45, 0.45, 0.1);

  /** What contrasts share is 0.05 but for versions to come, as in the golden values. */
  private static String genders(int levels) {
    return levels == 2 ? "[f, m]" : "[f, m, x]";
  }

  private static LinearPolicy policy(int levels, String model, double tau, double explore) {
    return LinearPolicy.compile(
        SpecParser.parse(
            """
            name: loans
            version: 1
            segments: default
            variables:
              age: {role: context, levels: [a, b, c, d]}
              income: {role: context, levels: [a, b, c, d]}
              region: {role: context, levels: [a, b, c, d]}
              gender: {role: sensitive, levels: %s, missing: reject}
              offer: {role: action, levels: [small, standard, large]}
              repaid: {role: reward}
            graph: |
              dag { age -> repaid; income -> repaid; region -> repaid
                    gender -> repaid; offer -> repaid }
            reward: {range: [0, 1], bounded: true}
            policy:
              name: linucb
              model: %s
              constraint: hard
              features: [intercept, one-hot: age, one-hot: income, one-hot: region,
                         one-hot: gender%s]
              %s
            fairness: {tau: %s, delta: %s}
            join: {reward-window: 1h, dedup-window: 1h}
            """
                .formatted(
                    genders(levels),
                    model,
                    model.equals("shared")
                        ? ", one-hot: offer, product: [{one-hot: gender}, {one-hot: offer}]"
                        : "",
                    explore > 0 ? "explore: {share: %s, over: all}".formatted(explore) : "",
                    tau,
                    model.equals("shared") ? 0.05 / 0.8 : 0.05 / (0.8 * 0.8))));
  }

  private static CertificatePlan plan(LinearPolicy policy, List<Double> shares, double baseRate) {
    return CertificatePlan.of(policy, new People(Map.of("gender", shares), baseRate, 0, 1, 0))
        .orElseThrow();
  }

  /** The golden values of forecast.json, by spec. */
  @Test
  void theFirstArmIsCertifiedWhenTheSpecificationSays() {
    LinearPolicy two = policy(2, "shared", 0.1, 0.1);
    assertThat(two.dimension()).isEqualTo(24);
    assertThat(plan(two, HALVES, 0.5).slowest().median()).isCloseTo(2261.6079, within(1e-3));
    assertThat(plan(two, HALVES, 0.08).slowest().median()).isCloseTo(938.1317, within(1e-3));
    LinearPolicy three = policy(3, "shared", 0.1, 0.1);
    assertThat(three.dimension()).isEqualTo(28);
    assertThat(plan(three, RARE, 0.5).slowest().median()).isCloseTo(7906.847, within(1e-3));
    LinearPolicy disjoint = policy(2, "disjoint", 0.1, 0.1);
    assertThat(disjoint.dimension()).isEqualTo(15);
    assertThat(plan(disjoint, HALVES, 0.5).slowest().median()).isCloseTo(2251.7145, within(1e-3));
    assertThat(plan(policy(3, "shared", 0.1, 0.5), RARE, 0.5).slowest().median())
        .isCloseTo(10937.702, within(1e-3));
  }

  @Test
  void furtherArmsGetWhatExplorationLeaves() {
    CertificatePlan plan = plan(policy(3, "shared", 0.1, 0.1), RARE, 0.5);
    assertThat(plan.rows()).hasSize(3);
    assertThat(plan.slowest().further()).isCloseTo(212159.8567, within(1e-3));
    PlanRow fast = plan.rows().get(0);
    assertThat(List.of(fast.one(), fast.other())).containsExactly("f", "m");
    assertThat(fast.rarest()).isEqualTo(0.45);
    assertThat(fast.median()).isLessThan(plan.slowest().median());
    assertThat(fast.ninetyPercent()).isGreaterThan(fast.median());
    assertThat(plan.slowest().rarest()).isEqualTo(0.1);
    PlanRow unexplored = plan(policy(3, "shared", 0.1, 0), RARE, 0.5).slowest();
    assertThat(CertificatePlan.rounded(unexplored.further())).isEqualTo("never");
  }

  /**
   * After 90 by turns the first arm gets a share of 1,500 / lacking, at most 19 of 20; the next one
   * a quarter of all.
   */
  @Test
  void aGoalConcentratesOnOneArmAtATime() {
    LinearPolicy policy = balanced(4_000);
    PlanRow row = plan(policy, HALVES, 0.5).slowest();
    double most = 1500 / .95;
    double slower = (alone(1) * alone(1) - most * most) / (2 * 1500);
    assertThat(row.median()).isCloseTo(90 + most / .95 + slower, within(2.0));
    assertThat(row.further()).isCloseTo(alone(0.25), within(1e-6));
    PlanRow poor = plan(balanced(1_000), HALVES, 0.5).slowest();
    assertThat(CertificatePlan.rounded(poor.further())).isEqualTo("never");
    assertThat(poor.median()).isEqualTo(row.median());
  }

  private static double alone(double armShare) {
    return new ContrastForecast(new Expected(0.1, 0.05, 0.5, 1), 24, 0.9 * 0.05 / 6)
        .decisions(
            new Question(new Levels(3, 0, 1, 0.5, 0.5), armShare, 0),
            0.1,
            CertificateForecast.MEDIAN);
  }

  private static LinearPolicy balanced(int budget) {
    String text = policy(2, "shared", 0.1, 0.5).spec().text();
    return LinearPolicy.compile(
        SpecParser.parse(
            text.replace("share: 0.5, over: all", "over: balanced, budget: %d".formatted(budget))));
  }

  @Test
  void delayedAndMissingRewardsTakeLonger() {
    LinearPolicy policy = policy(2, "shared", 0.1, 0.1);
    double now = plan(policy, HALVES, 0.5).slowest().median();
    Map<String, List<Double>> shares = Map.of("gender", HALVES);
    assertThat(median(policy, new People(shares, 0.5, 0, 1, 1_000)))
        .isCloseTo(now + 1_000, within(1e-6));
    assertThat(median(policy, new People(shares, 0.5, 0, 0.5, 0))).isCloseTo(2 * now, within(1e-3));
    assertThat(median(policy, new People(shares, 0.5, 0.09, 1, 0))).isGreaterThan(50 * now);
  }

  private static double median(LinearPolicy policy, People people) {
    return CertificatePlan.of(policy, people).orElseThrow().slowest().median();
  }

  @Test
  void theFallbackShareFallsFromOneToZero() {
    CertificatePlan plan = plan(policy(2, "shared", 0.1, 0.1), HALVES, 0.5);
    assertThat(plan.fallbackShare(100)).isGreaterThan(0.99);
    assertThat(plan.fallbackShare(2_300)).isBetween(0.1, 0.8);
    assertThat(plan.fallbackShare(20_000)).isLessThan(0.01);
  }

  @Test
  void theFallbackShareFollowsTheForecastOfTheGoal() {
    double before = 0;
    for (String goal : List.of("certify", "balanced", "earn")) {
      String text = policy(2, "shared", 0.1, 0.1).spec().text();
      String explore = "explore: " + goal;
      LinearPolicy policy =
          LinearPolicy.compile(
              SpecParser.parse(text.replace("explore: {share: 0.1, over: all}", explore)));
      CertificatePlan plan = plan(policy, HALVES, 0.5);
      double median = plan.slowest().median();
      assertThat(median).as(goal).isGreaterThan(before);
      assertThat(plan.fallbackShare(median)).as(goal).isCloseTo(0.5, within(1e-3));
      assertThat(plan.fallbackShare(plan.slowest().ninetyPercent()))
          .as(goal)
          .isCloseTo(0.1, within(1e-3));
      assertThat(plan.fallbackShare(90)).as(goal).isEqualTo(1);
      before = median;
    }
  }

  /** What a remedy may change, in the words of a spec. */
  private record Keys(String rest, String explore, String limit, String delta) {
    CertificatePlan plan() {
      String text =
          rest.replace("EXPLORE", explore.isEmpty() ? "" : "explore: %s,".formatted(explore))
              .replace("FAIRNESS", "%s, delta: %s".formatted(limit, delta));
      return CertificatePlan.of(CompiledSpec.of(SpecParser.parse(text)).policy(), people())
          .orElseThrow();
    }

    private static People people() {
      return new People(Map.of("gender", List.of(0.6, 0.4)), 0.3, 0, 0.9, 5);
    }

    Keys with(Remedy remedy) {
      String[] change = remedy.change().split(": ", 2);
      return switch (change[0]) {
        case "policy.explore" -> new Keys(rest, change[1], limit, delta);
        case "policy.explore.share" ->
            new Keys(rest, "{share: %s, over: all}".formatted(change[1]), limit, delta);
        case "fairness.delta" -> new Keys(rest, explore, limit, change[1]);
        default -> new Keys(rest, explore, remedy.change().replace("fairness.", ""), delta);
      };
    }
  }

  private static String world(String action, String policy) {
    return """
        name: loans
        version: 1
        segments: default
        variables:
          gender: {role: sensitive, levels: [f, m], missing: reject}
          %s
          repaid: {role: reward}
        graph: "dag { {gender offer} -> repaid }"
        arms: %s
        reward: {range: [0, 1]}
        policy: {EXPLORE %s}
        fairness: {FAIRNESS}
        join: {reward-window: 1h}
        """
        .formatted(
            action.equals("number")
                ? "offer: {role: action, range: [0, 100], usual-range: [0, 100]}"
                : "offer: {role: action, levels: [a, b, c]}",
            action.equals("number") ? "[{offer: 10}, {offer: 50}, {offer: 90}]" : "all",
            policy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "levels | name: linucb, model: shared, constraint: hard | {share: 0.1, over: all} | tau: 0.133",
        "levels | name: linucb, model: disjoint, constraint: hard | '' | tau: 0.2",
        "number | name: linucb, model: shared, constraint: hard | earn | tau: 0.2",
        "levels | name: screen | balanced | odds-ratio: 2",
        "number | name: screen | earn | tau: 0.2",
        "levels | name: f-ucb | {over: balanced, budget: 900} | 'tau: {direct: 0.2, total: 0.3}'",
      })
  void aRemedyIsTheForecastOfTheChangedSpec(
      String action, String policy, String explore, String limit) {
    Keys keys = new Keys(world(action, policy), explore, limit, "0.05");
    List<Remedy> remedies = keys.plan().remedies();
    assertThat(remedies).hasSize(4);
    for (Remedy remedy : remedies) {
      PlanRow changed = keys.with(remedy).plan().slowest();
      assertThat(List.of(remedy.first(), remedy.further()))
          .as(remedy.change())
          .isEqualTo(List.of(changed.median(), changed.further()));
    }
  }

  /**
   * One regression over prices learns of each arm's effect from all arms, so no goal is sooner. The
   * people of the levels may be split between prices, so nine of ten runs take twice as long.
   */
  @Test
  void whereAllArmsCountNoGoalIsSooner() {
    String shared = world("number", "name: linucb, model: shared, constraint: hard");
    CertificatePlan certify = new Keys(shared, "certify", "tau: 0.2", "0.05").plan();
    PlanRow row = certify.slowest();
    assertThat(new Keys(shared, "earn", "tau: 0.2", "0.05").plan().slowest().median())
        .isEqualTo(row.median());
    double turns = 90 + 5;
    assertThat((row.ninetyPercent() - turns) / (row.median() - turns)).isCloseTo(2, within(0.05));
    assertThat(certify.fallbackShare(row.median())).isCloseTo(0.5, within(1e-3));
    assertThat(certify.fallbackShare(row.ninetyPercent())).isCloseTo(0.1, within(1e-3));
    assertThat(certify.fallbackShare(90)).isEqualTo(1);
  }

  /** The budget that {@code check} proposes lets a further arm be certified. */
  @Test
  void theProposedBudgetSuffices() {
    CertificatePlan plan = plan(balanced(1_000), HALVES, 0.5);
    String advice = plan.lateness(1e6).orElseThrow();
    assertThat(advice).contains("only the first certified arm is ever played; give a budget of");
    int proposed = Integer.parseInt(advice.replaceAll(".*give a budget of ([0-9]+).*", "$1"));
    assertThat(plan(balanced(proposed), HALVES, 0.5).slowest().isWithinBudget()).isTrue();
  }

  /** The delta has its greatest value, and twice the odds ratio would be out of its range. */
  @Test
  void whatChangesNothingOrIsNoSpecIsNoRemedy() {
    Keys keys = new Keys(world("levels", "name: screen"), "certify", "odds-ratio: 2000", "0.5");
    assertThat(keys.plan().remedies())
        .extracting(Remedy::change)
        .containsExactly("fairness.odds-ratio: 8.94e+04");
  }

  @Test
  void theCheapestRemedyHalvesTheForecast() {
    CertificatePlan plan = plan(policy(2, "shared", 0.1, 0.1), HALVES, 0.5);
    assertThat(plan.cheapest().orElseThrow().change()).startsWith("fairness.tau");
  }

  @Test
  void theSummaryNamesThePairThatNeedsMost() {
    assertThat(plan(policy(3, "shared", 0.1, 0.1), RARE, 0.5).summary(1))
        .contains("about 8000 decisions")
        .contains("gender f and x");
    assertThat(plan(policy(3, "shared", 0.01, 0.1), RARE, 0.5).summary(1))
        .contains("more than 100000 decisions");
  }

  @Test
  void theSummaryNamesTheRateAndTheWaitThatItAssumes() {
    LinearPolicy policy = policy(2, "shared", 0.1, 0.1);
    People people = new People(Map.of("gender", HALVES), 0.5, 0, 1, 0);
    assertThat(summary(policy, people.withDelay(policy.spec(), 50, 6), 6))
        .endsWith(
            "; assumes a base rate of 0.5, 6 decisions a second, and 50 s until a reward is"
                + " learned");
    assertThat(summary(policy, people, 100))
        .endsWith(
            "; assumes a base rate of 0.5, 100 decisions a second (the default of --rate), and 0 s"
                + " until a reward is learned");
  }

  @Test
  void whatIsNeverCertifiedReadsAsASentence() {
    People people = new People(Map.of("gender", HALVES), 0.5, 0, 1, 0);
    assertThat(summary(policy(2, "shared", 0.1, 0), people, 1))
        .containsPattern("\\(9 of 10 runs: [0-9]+\\), no further arm is to be expected; gender");
    People late = new People(Map.of("gender", HALVES), 0.5, 0, 1, 2e9);
    People one = new People(Map.of("gender", List.of(1.0, 0.0)), 0.5, 0, 1, 0);
    for (People never : List.of(late, one)) {
      CertificatePlan plan = CertificatePlan.of(policy(2, "shared", 0.1, 0.1), never).orElseThrow();
      assertThat(plan.summary(1))
          .startsWith("certificates: no arm is to be expected within 1000000000 decisions for");
      assertThat(plan.isHopeless()).isTrue();
    }
  }

  private static String summary(LinearPolicy policy, People people, double rate) {
    return CertificatePlan.of(policy, people).orElseThrow().summary(rate);
  }
}
