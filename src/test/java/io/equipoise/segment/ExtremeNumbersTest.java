package io.equipoise.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.Tier;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ErrorCode;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that are allowed one by one: a spec with them is refused, or it plays. */
@Tag("slow")
class ExtremeNumbersTest {
  private static final int SPECS = Tier.count(50, 10_000);
  private static final int DECISIONS = 50;
  private static final String[] EXTREMES = {
    "4.9e-324",
    "1e-320",
    "1e-297",
    "1e-160",
    "1e-20",
    "1e-12",
    "1e-9",
    "1e-4",
    "0.1",
    "0.5",
    "0.999999999999",
    "1",
    "2",
    "999999999.9999999",
    "1e6",
    "1e9",
    "1e12",
    "1e160",
    "1.7e308",
    "1e400",
    "0",
    "-0.0",
    "-1",
    "-1e9",
    "NaN",
    "-1.7e308"
  };

  /** Features that show all that a logistic policy must see; numbers by their bins. */
  private static final String ALL = "{one-hot: S}, {one-hot: X}, {one-hot: N}, {one-hot: A}";

  private static final String EVIDENCE =
      "features: [intercept, {one-hot: X}], warm-start: [{arm: A=left, context: {X: low}, n: 30,"
          + " mean: #}, {arm: A=right, context: {X: high}, n: 1000000000, mean: #}]";

  /** One policy of each kind; each # is a number by chance. */
  private static final String[] POLICIES = {
    "ucb, index-scale: #",
    "f-ucb, index-scale: #",
    "f-ucb, explore: {over: certify, budget: #}",
    "ucb, constraint: dual",
    "linucb, alpha: #, ridge: #",
    "linucb, alpha: {delta: #}, theta-norm: #, constraint: hard, features: [{one-hot: S}]",
    "linucb, constraint: screen, theta-norm: #, features: [{one-hot: S}], explore: balanced",
    "linucb, constraint: dual, theta-norm: #, epsilon: #, features: [{one-hot: S}]",
    "linucb, alpha: {self-normalized: #}, forget: {discount: #}, ridge: #",
    "linucb, features: [intercept, {number: {of: N, center: #, scale: #}}, {one-hot: S}]",
    "lin-ts, sample: {scale: #, draws: 5}, ridge: #",
    "epsilon-greedy, epsilon: #, ridge: #",
    "fair-linucb, groups: {attribute: S, privileged: a, protected: b, gamma: #}",
    "oam, horizon: 50, variance: #, kappa: #, epsilon: #, features: [intercept, %s]",
    "glm-ucb, theta-norm: #, radius: {delta: #, scale: #}",
    "glm-ucb, theta-norm: #, features: [intercept, %s]",
    "cclb, epsilon: #, dual: {cap: #}, features: [intercept, %s]",
    "screen, slack: #, theta-norm: #, features: [intercept, %s], explore: {share: #, over: fair-set}",
    "forced-exploration, slack: #, radius: {scale: #}, features: [intercept, %s]",
    "c-ucb, index-scale: #, explore: {share: #, over: all}",
    "d-ucb, index-scale: #, constraint: dual-upper",
    "ucb, constraint: screen, explore: {over: earn, budget: #}",
    "linucb-unaware, alpha: #, ridge: #, features: [{one-hot: X}]",
    "ofulog, theta-norm: #, features: [intercept, %s]",
    "eps-cclb, epsilon: #, features: [intercept, %s]",
    "dual-upper, theta-norm: #, features: [intercept, %s]",
    "csr-v1, samples: 40, control: \"A=left\", budget: #",
    "csr-v2, samples: 40, control: \"A=left\", min-closed-fraction: #, costs: {A=right: #}",
    "ts-v1, samples: 40, control: \"A=left\", mode: separate, costs: {A=right: #}",
    "ts-v2, samples: 40, control: \"A=left\", mode: pooled, estimate: direct",
    "ucb-pcb, index-scale: #, causal-bounds: {name: shop, delta: #}",
    "linucb-pcb, alpha: #, ridge: #, causal-bounds: {name: shop, on-refutation: ignore}",
    "oam-pcb, horizon: 50, variance: #, features: [intercept, %s], causal-bounds: {name: shop}",
    "linucb-biased, alpha: #, ridge: #, " + EVIDENCE,
    "linucb-cp, alpha: {self-normalized: #}, theta-norm: #, " + EVIDENCE,
  };

  @Test
  void aSpecOfExtremeNumbersIsRefusedOrPlays() {
    int played = 0;
    for (int seed = 0; seed < SPECS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      String text = text(random, POLICIES[seed % POLICIES.length]);
      CompiledSpec spec;
      try {
        spec = SpecParser.parse(text, SpecTrial::passed);
      } catch (SpecException e) {
        assertThat(e.getMessage()).as(text).doesNotContain("compiling fails");
        continue;
      }
      played++;
      play(spec, text, random);
    }
    Tier.found(ExtremeNumbersTest.class, "specs of extreme numbers that play", played);
    assertThat(played).as("specs that play").isGreaterThan(SPECS / 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[0, 1e-29]", "[0, 1e-10]", "[999999999.9999999, 1e9]"})
  void aRangeThatIsAlmostEmptyIsRefused(String range) {
    assertThat(refusal("{range: %s}".formatted(range), "0.2"))
        .startsWith("reward.range")
        .contains("a width of at least");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e12", "1e-29", "1e-10"})
  void aTauThatIsNoPartOfTheRangeIsRefused(String tau) {
    assertThat(refusal("{range: [0, 1]}", tau))
        .startsWith("fairness.tau")
        .contains(" 0.000000001 to 1000000000: from a billionth to a billion times the width");
  }

  /** The limit relative to the range never exceeds that of the key. */
  @Test
  void aTauIsAtMostTheDocumentedLimit() {
    assertThat(refusal("{range: [-1e9, 1e9]}", "1"))
        .contains(" 2 to 1000000000000: from a billionth to a billion times the width");
  }

  private static String refusal(String reward, String tau) {
    String text =
        TestSpecs.text(
                "linucb, constraint: hard, features: [{one-hot: S}]",
                1,
                "{reward-window: 60s}",
                reward,
                "reject")
            .replace("tau: 0.2", "tau: " + tau);
    try {
      CompiledSpec unused = SpecParser.parse(text, SpecTrial::passed);
      return "accepted";
    } catch (SpecException e) {
      return e.faults().get(0).toString();
    }
  }

  private static String text(SplittableRandom random, String policy) {
    String[] ends = {number(random, "0"), number(random, "1")};
    String reward =
        "{range: [%s, %s], bounded: %s%s}"
            .formatted(
                ends[0],
                ends[1],
                random.nextInt(4) > 0,
                random.nextInt(3) == 0 ? ", scale: " + number(random, "0.5") : "");
    StringBuilder filled = new StringBuilder();
    for (String part : policy.split("(?<=#)", -1)) {
      String ordinary = part.endsWith("epsilon: #") ? "0.1" : "0.5";
      filled.append(part.replace("#", number(random, ordinary)).replace("%s", ALL));
    }
    boolean isExperiment = policy.contains("samples: ");
    String by = isExperiment || policy.contains("%s") ? "bin" : "number";
    String join = "{reward-window: 60s, learn: on-window-close}";
    return (isExperiment
            ? TestSpecs.experiment(filled.toString(), 1, join, reward, "reject")
                .replace("{tau: 0.2}", "{tau: 0.2, delta: 0.05}")
            : TestSpecs.text(filled.toString(), 1, join, reward, "reject"))
        .replace(
            "  A: {role: action",
            "  N: {role: context, range: [%s, %s], cuts: [%s], acts-by: %s}\n  A: {role: action"
                .formatted(number(random, "0"), number(random, "1"), number(random, "0.5"), by))
        .replace("{M X} -> R }", "{M X N} -> R }")
        .replace(
            "{tau: 0.2, delta: 0.05}",
            "{tau: %s, delta: %s}".formatted(number(random, "0.2"), number(random, "0.05")));
  }

  /** Most numbers are ordinary, or no spec would have all of them right. */
  private static String number(SplittableRandom random, String ordinary) {
    return random.nextInt(8) > 0 ? ordinary : EXTREMES[random.nextInt(EXTREMES.length)];
  }

  private static void play(CompiledSpec spec, String text, SplittableRandom random) {
    Scenario scenario = Scenario.under(text);
    NumberRange range = spec.spec().reward().range();
    NumberRange numbers = spec.spec().variables().named("N").range();
    if (spec.spec().policy().causalBounds() != null) {
      publishBounds(scenario, spec, random);
    }
    for (int at = 1; at <= DECISIONS; at++) {
      String id = "d" + at;
      double person = random.nextBoolean() ? numbers.low() : numbers.high();
      scenario.context(
          id,
          at,
          Map.of(
              "S", random.nextBoolean() ? "a" : "b",
              "X", random.nextBoolean() ? "low" : "high",
              "N", person));
      double reward =
          switch (random.nextInt(3)) {
            case 0 -> range.low();
            case 1 -> range.high();
            default -> range.low() + random.nextDouble() * range.width();
          };
      scenario.reward(id, "r", at + 0.5, reward, Map.of("M", random.nextBoolean() ? "0" : "1"));
    }
    scenario.passTo(1000);
    assertThat(scenario.deadLetterCodes())
        .as("%s%n%s", scenario.log.deadLetters.stream().map(it -> it.message()).toList(), text)
        .doesNotContain(ErrorCode.POLICY_FAILED.name());
    for (Record record : scenario.log.all) {
      assertFinite(record, record.getClass().getSimpleName(), text);
    }
  }

  /** A set whose rows are no intervals of numbers cannot be made, nor read from the topic. */
  private static void publishBounds(Scenario scenario, CompiledSpec spec, SplittableRandom random) {
    NumberRange range = spec.spec().reward().range();
    List<CausalBound> rows = new ArrayList<>();
    for (String arm : List.of("A=left", "A=right")) {
      double low = Double.parseDouble(number(random, "" + range.low()));
      double high = Double.parseDouble(number(random, "" + range.high()));
      rows.add(TestBounds.row(spec.spec().graph().fingerprint(), arm, Map.of(), low, high));
    }
    try {
      scenario.causalBounds.publish(CausalBoundSet.of(TestBounds.NAME, 1, rows));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).contains("is not an interval of finite numbers");
    }
  }

  private static void assertFinite(@Nullable Object value, String path, String text) {
    if (value instanceof Double number) {
      assertThat(Double.isFinite(number)).as("%s is %s%n%s", path, number, text).isTrue();
    } else if (value instanceof List<?> list) {
      list.forEach(it -> assertFinite(it, path, text));
    } else if (value instanceof Record record) {
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        try {
          Object part = component.getAccessor().invoke(record);
          assertFinite(part, path + "." + component.getName(), text);
        } catch (ReflectiveOperationException e) {
          throw new LinkageError(String.format(Locale.ROOT, "%s.%s", path, component.getName()), e);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ucb", "c-ucb", "d-ucb", "f-ucb", "linucb", "screen"})
  void aRewardOfAPersonWithANumberThatActsByItsBinIsLearned(String policy) {
    SpecTrial.passed(
        SpecParser.parse(
            """
            name: bins
            version: 1
            segments: default
            variables:
              income: {role: context, range: [0, 100000], cuts: [30000], acts-by: bin}
              gender: {role: sensitive, levels: [f, m], missing: reject}
              offer: {role: action, levels: [small, large]}
              repaid: {role: reward}
            graph: "dag { income -> repaid; gender -> repaid; offer -> repaid }"
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {tau: 0.2}
            join: {reward-window: 1d}
            """
                .formatted(policy)));
  }
}
