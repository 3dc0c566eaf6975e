package io.equipoise.policy.logistic;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.job.check.CertificatePlan;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CertificatePlan.PlanRow;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CertificateForecast.Levels;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares forecasts of the first certificate of logistic policies with the median of runs
 * (docs/math/weighted-sums.md#forecasts).
 */
@Tag("slow")
class LogisticForecastTest {
  private static final double FACTOR = 1.5;
  private static final double ROUGH = 2;
  private static final List<Double> HALVES = List.of(.5, .5);
  private static final List<Double> RARE = List.of(.45, .45, .1);
  private static final List<Double> UNEVEN = List.of(.8, .15, .05);

  /**
   * A world in which no effect is true, and the spec of its segment.
   *
   * @param contexts variables of people with four levels each
   * @param shares of the levels of the attribute
   * @param limit the key of fairness
   */
  private record Setting(
      int contexts, List<Double> shares, int arms, double rate, String explore, String limit) {
    LogisticPolicy policy() {
      StringBuilder variables = new StringBuilder();
      StringBuilder terms = new StringBuilder();
      StringBuilder parents = new StringBuilder();
      for (int i = 0; i < contexts; i++) {
        variables.append("  x").append(i).append(": {role: context, levels: [a, b, c, d]}\n");
        terms.append(", one-hot: x").append(i);
        parents.append('x').append(i).append(' ');
      }
      return LogisticPolicy.compile(
          SpecParser.parse(
              """
              name: planned
              version: 1
              segments: default
              variables:
              %s  gender: {role: sensitive, levels: [%s], missing: reject}
                offer: {role: action, levels: [%s]}
                click: {role: reward}
              graph: "dag { {%sgender offer} -> click }"
              reward: {range: [0, 1]}
              policy: {name: screen, slack: 0, theta-norm: 5, explore: %s, features: [intercept%s,
                one-hot: gender, one-hot: offer, product: [{one-hot: gender}, {one-hot: offer}]]}
              fairness: {%s, delta: 0.05}
              join: {reward-window: 1d}
              """
                  .formatted(
                      variables,
                      names("g", shares.size()),
                      names("o", arms),
                      parents,
                      explore,
                      terms,
                      limit)));
    }

    private static String names(String letter, int count) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        names.add(letter + i);
      }
      return String.join(", ", names);
    }

    /** Returns how much too high a forecast may be: the plan says so where it is more than 1.5. */
    double factor() {
      boolean isOfContrast = limit.startsWith("odds-ratio") && !limit.contains("pairs");
      return rate < .05 && isOfContrast ? ROUGH : FACTOR;
    }

    /** Returns how many runs have a steady median: a level of 5 % spreads them widely. */
    int runs() {
      return Tier.count(3, shares.equals(UNEVEN) ? 11 : 5);
    }

    PlanRow planned(LogisticPolicy policy) {
      People people = new People(Map.of("gender", shares), rate, 0, 1, 0);
      return CertificatePlan.of(policy, people).orElseThrow().slowest();
    }

    /** Returns the first decision that is certified between two levels; at most so many. */
    int first(LogisticPolicy policy, int seed, Levels pair, int most) {
      List<Candidate> offers = new ArrayList<>();
      for (int arm = 0; arm < arms; arm++) {
        offers.add(new Candidate(policy.spec().arms().list().get(arm).id(), arm, Profile.of(arm)));
      }
      ModelState state = new MemoryModelState();
      SplittableRandom random = new SplittableRandom(seed);
      for (int t = 1; t <= most; t++) {
        int[] levels = new int[contexts + 1];
        Arrays.setAll(levels, place -> random.nextInt(4));
        levels[contexts] = level(random.nextDouble());
        Request request = new Request(new Profile(levels, new double[0]), offers, true, arms);
        SeededRandom draws = new SeededRandom(seed, "s", "d" + t);
        AuditedChoice choice = policy.decide(state, request, t, draws, ClippedIndex.NONE);
        boolean isCertified =
            choice.findings().stream()
                .anyMatch(
                    one ->
                        isOf(pair, one.effect()) && one.verdict() == AuditVerdict.CERTIFIED_FAIR);
        if (isCertified) {
          return t;
        }
        int arm = choice.choice().arm();
        double reward = random.nextDouble() < rate ? 1 : 0;
        double[] inputs = policy.inputs(request, arm);
        policy.learn(state, new Experience(levels, inputs, arm, arm, new int[0], reward), t);
      }
      return most;
    }

    private static boolean isOf(Levels pair, EffectFinding effect) {
      int factual = effect.factual();
      int counterfactual = effect.counterfactual();
      return Math.min(factual, counterfactual) == pair.one()
          && Math.max(factual, counterfactual) == pair.other();
    }

    private int level(double u) {
      double sum = 0;
      int level = 0;
      while (level < shares.size() - 1 && u >= sum + shares.get(level)) {
        sum += shares.get(level++);
      }
      return level;
    }
  }

  private static Setting alike(double rate, String limit) {
    return new Setting(1, HALVES, 2, rate, "certify", limit);
  }

  private static String pairs(String limit) {
    return limit + ", certificates: {interval: pairs}";
  }

  private static Stream<Setting> settings() {
    List<Setting> all =
        List.of(
            alike(.5, "tau: 0.2"),
            alike(.2, "odds-ratio: 2.5"),
            alike(.1, pairs("tau: 0.12")),
            alike(.02, "tau: 0.03"),
            alike(.05, "tau: 0.06"),
            alike(.1, "tau: 0.08"),
            alike(.2, "tau: 0.1"),
            alike(.35, "tau: 0.12"),
            alike(.5, "tau: 0.1"),
            alike(.02, "odds-ratio: 3"),
            alike(.05, "odds-ratio: 2.5"),
            alike(.1, "odds-ratio: 2.5"),
            alike(.2, "odds-ratio: 2"),
            alike(.35, "odds-ratio: 2"),
            alike(.5, "odds-ratio: 1.8"),
            alike(.02, pairs("odds-ratio: 3")),
            alike(.05, pairs("tau: 0.06")),
            alike(.05, pairs("odds-ratio: 2.5")),
            alike(.2, pairs("tau: 0.12")),
            alike(.2, pairs("odds-ratio: 2")),
            alike(.35, pairs("tau: 0.15")),
            alike(.5, pairs("tau: 0.15")),
            new Setting(1, RARE, 2, .2, "certify", "tau: 0.15"),
            new Setting(1, RARE, 2, .05, "certify", "odds-ratio: 3"),
            new Setting(1, UNEVEN, 2, .2, "certify", "tau: 0.2"),
            new Setting(1, UNEVEN, 2, .1, "certify", "odds-ratio: 3"),
            new Setting(3, HALVES, 3, .1, "balanced", "tau: 0.1"),
            new Setting(3, HALVES, 3, .35, "balanced", "tau: 0.15"),
            new Setting(1, HALVES, 3, .2, "balanced", "tau: 0.12"),
            new Setting(1, HALVES, 3, .2, "earn", "tau: 0.15"),
            new Setting(1, HALVES, 3, .5, "earn", "odds-ratio: 2"));
    return all.stream().limit(Tier.count(3, all.size()));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void theForecastIsNearTheMedianOfRuns(Setting setting) {
    LogisticPolicy policy = setting.policy();
    PlanRow row = setting.planned(policy);
    double planned = row.median();
    int[] firsts = new int[setting.runs()];
    int most = (int) (2.5 * planned);
    Arrays.setAll(firsts, seed -> setting.first(policy, seed + 1, row.levels(), most));
    Arrays.sort(firsts);
    int median = firsts[firsts.length / 2];
    Tier.found(getClass(), setting + ": planned, median", "%.0f, %d".formatted(planned, median));
    assertThat((double) median).isBetween(planned / setting.factor(), planned * FACTOR);
  }

  /** A sooner goal, a wider limit and more even shares need fewer decisions. */
  @Test
  void theForecastFollowsWhatItIsGiven() {
    double planned = planned(new Setting(1, HALVES, 3, .1, "balanced", "tau: 0.1"));
    assertThat(planned(new Setting(1, HALVES, 3, .1, "certify", "tau: 0.1"))).isLessThan(planned);
    assertThat(planned(new Setting(1, HALVES, 3, .1, "earn", "tau: 0.1"))).isGreaterThan(planned);
    assertThat(planned(new Setting(1, HALVES, 3, .1, "balanced", "tau: 0.2"))).isLessThan(planned);
    assertThat(planned(new Setting(3, HALVES, 3, .1, "balanced", "tau: 0.1")))
        .isGreaterThan(planned);
    assertThat(planned(new Setting(1, List.of(.9, .1), 3, .1, "balanced", "tau: 0.1")))
        .isGreaterThan(planned);
  }

  private static double planned(Setting setting) {
    return setting.planned(setting.policy()).median();
  }

  @Test
  void anOddsRatioMayExceedThatOfATauOfOne() {
    double wide = planned(alike(.2, "odds-ratio: 4"));
    assertThat(wide).isLessThan(planned(alike(.2, "odds-ratio: 2.5")));
  }
}
