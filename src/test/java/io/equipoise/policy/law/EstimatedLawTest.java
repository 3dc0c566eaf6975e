package io.equipoise.policy.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.SpecDifference;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.refutation.Assumptions;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Specs whose statistics estimate another law than their certificates claim. */
class EstimatedLawTest {
  private static final String S = "S: {role: sensitive, levels: [v0, v1], missing: reject}\n";
  private static final String X = "X: {role: context, levels: [x0, x1, x2], missing: reject}\n";
  private static final String ALL = ", explore: {share: 0.3, over: all}";
  private static final String CONFOUNDED = "S -> A; X -> A; X -> S; X -> R; S -> R; A -> R";
  private static final String FOLLOWED = "S -> A; X -> A; S -> X; X -> R; S -> R; A -> R";

  private static String number(String more) {
    return S + "X: {role: context, range: [0, 1], cuts: [0.9], missing: reject" + more + "}\n";
  }

  private static String spec(String variables, String graph, String policy, String more) {
    return """
           name: w
           version: 1
           segments: default
           seed: 7
           variables:
           %s
             A: {role: action, levels: [a0, a1]}
             R: {role: reward}
           graph: "dag { %s }"
           arms: all
           %sreward: {range: [0, 1]}
           policy: {name: %s}
           fairness: {tau: 0.1, delta: 0.05}
           join: {reward-window: 60s, fallback: "A=a0"}
           """
        .formatted(variables.indent(2).stripTrailing(), graph, more, policy);
  }

  /**
   * Specs with an effect that nothing identifies; the variable and the remedy that the fault names.
   */
  static Stream<Arguments> refused() {
    String onlyBins = ", features: [intercept, one-hot: S, one-hot: X, one-hot: A]";
    String onlyLevel = ", features: [intercept, level: {of: X, is: x2}, one-hot: S, one-hot: A]";
    String onlyMatch =
        ", theta-norm: 2, features: [intercept, one-hot: S, match: [S, X], one-hot: A]";
    String withoutX = ", features: [intercept, one-hot: S, one-hot: A]";
    String same = S + "X: {role: context, levels: [v0, v1], missing: reject}\n";
    String income = S + "X: {role: context, range: [0, 1000000], cuts: [4], missing: reject}\n";
    String age = S + "X: {role: sensitive, range: [0, 120], cuts: [60], missing: reject}\n";
    String two = income + "Y: {role: context, range: [0, 1], cuts: [0.5], missing: reject}\n";
    String levels = "S: {role: sensitive, levels: [v0, v1, v2], missing: reject}\n";
    String onlyV0 = ", features: [intercept, level: {of: S, is: v0}, one-hot: A]";
    return Stream.of(
        // a number without a usual range bounds no coefficient
        Arguments.of(income, CONFOUNDED, "linucb, model: shared, constraint: hard", "usual-range"),
        Arguments.of(income, CONFOUNDED, "linucb, constraint: screen", "policy.theta-norm"),
        Arguments.of(
            two, CONFOUNDED + "; Y -> R", "linucb, constraint: hard", "numbers [X, Y] may be"),
        // a number is not held where its bin is
        Arguments.of(number(""), CONFOUNDED, "f-ucb" + ALL, "variables.X.acts-by: bin"),
        Arguments.of(number(""), CONFOUNDED, "ucb" + ALL, "variables.X.acts-by: bin"),
        Arguments.of(number(""), FOLLOWED, "f-ucb" + ALL, "variables.X.acts-by: bin"),
        Arguments.of(
            number(""),
            CONFOUNDED,
            "linucb" + onlyBins,
            "Add {number: X} to policy.features and variables.X.usual-range; or"),
        Arguments.of(number(""), CONFOUNDED, "oam, horizon: 99" + onlyBins, "Add {number: X}"),
        Arguments.of(number(""), CONFOUNDED, "screen" + onlyBins, "Add {number: X}"),
        // an attribute with a range is a number in the effects of others
        Arguments.of(age, CONFOUNDED, "f-ucb" + ALL, "variables.X.acts-by: bin"),
        Arguments.of(age, CONFOUNDED, "linucb, constraint: hard", "variables.X.acts-by: bin"),
        Arguments.of(age, CONFOUNDED, "screen", "variables.X.acts-by: bin"),
        // what follows the attribute and is left out
        Arguments.of(S + X, FOLLOWED, "linucb, model: shared" + withoutX, "Add {one-hot: X}"),
        Arguments.of(S + X, FOLLOWED, "lin-ts" + withoutX, "Add {one-hot: X}"),
        Arguments.of(S + X, FOLLOWED, "screen" + withoutX, "Add {one-hot: X}"),
        // levels that no feature separates
        Arguments.of(
            levels,
            "S -> A; S -> R; A -> R",
            "linucb, constraint: hard" + onlyV0,
            "no term that shows the levels [v1, v2] of S"),
        // a confounder that is shown in part
        Arguments.of(S + X, CONFOUNDED, "linucb, model: shared" + onlyLevel, "Add {one-hot: X}"),
        Arguments.of(same, CONFOUNDED, "linucb, model: shared" + onlyMatch, "X (not seen)"),
        Arguments.of(same, CONFOUNDED, "oam, horizon: 99" + onlyMatch, "X (not seen)"),
        Arguments.of(
            S + X,
            CONFOUNDED,
            "linucb, features: [intercept, one-hot: S, {product: [one-hot: X, {level: {of: S, is:"
                + " v0}}]}]",
            "X (not seen)"),
        // a variable that only some comparisons hold
        Arguments.of(
            S + X,
            "S -> A; X -> R; S -> R; A -> R",
            "linucb, features: [intercept, one-hot: S, {product: [one-hot: X, {level: {of: S, is:"
                + " v0}}]}]",
            "shows more of X"),
        Arguments.of(
            same, "S -> A; X -> R; S -> R; A -> R", "linucb" + onlyMatch, "shows more of X"),
        // log odds do not average over a cause of the reward
        Arguments.of(
            S + X,
            "S -> A; X -> R; S -> R; A -> R",
            "screen" + withoutX + "}\n",
            "effects on log odds do not average"),
        Arguments.of(
            S + X, "S -> A; X -> R; S -> R; A -> R", "glm-ucb" + withoutX, "Add {one-hot: X}"),
        // arms that one regression mixes
        Arguments.of(
            S + X,
            CONFOUNDED,
            "linucb, model: shared, features: [intercept, one-hot: S, one-hot: X]",
            "model: disjoint"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aSpecWhoseEffectIsNotThatOfItsLawIsRefusedWithTheRemedy(
      String variables, String graph, String policy, String remedy) {
    String name = policy.replace("}\n", "");
    assertThatThrownBy(() -> TestSpecs.compiled(spec(variables, graph, name, "")))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining(remedy);
  }

  @Test
  void aPairsCertificateNeedsEveryCauseOfTheRewardAmongTheFeatures() {
    String policy = "screen, features: [intercept, one-hot: S, one-hot: A]";
    String text = spec(S + X, "S -> A; X -> A; X -> R; S -> R; A -> R", policy, "");
    assertThatThrownBy(
            () ->
                TestSpecs.compiled(
                    text.replace("delta: 0.05", "delta: 0.05, certificates: {interval: pairs}")))
        .hasMessageContaining("effects on log odds do not average")
        .hasMessageContaining("Add {one-hot: X}");
  }

  /** What is left out bears on no effect. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          S -> A; X -> R; S -> R; A -> R           | linucb, features: [intercept, one-hot: S, one-hot: A]
          S -> A; X -> S; S -> R; A -> R           | linucb, features: [intercept, one-hot: S, one-hot: A]
          S -> A; S -> X; S -> R; A -> R; X -> A   | screen, features: [intercept, one-hot: S, one-hot: A]
          S -> A; X -> A; X -> R; S -> R; A -> R   | f-ucb
          S -> A; X -> S; X -> R; S -> R; A -> R   | linucb, theta-norm: 3, constraint: hard
          """)
  void aSpecThatLeavesOutNothingThatMattersIsTaken(String graph, String policy) {
    assertThatCode(() -> TestSpecs.compiled(spec(number(""), graph, policy, "")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"f-ucb", "linucb, constraint: hard", "screen"})
  void anAttributeWithARangeThatActsByItsBinConfoundsNothing(String policy) {
    String age =
        "X: {role: sensitive, range: [0, 120], cuts: [60], acts-by: bin, missing: reject}\n";
    assertThatCode(() -> TestSpecs.compiled(spec(S + age, CONFOUNDED, policy, "")))
        .doesNotThrowAnyException();
    String alone = age.replace(", acts-by: bin", "");
    assertThatCode(() -> TestSpecs.compiled(spec(alone, "X -> A; X -> R; A -> R", policy, "")))
        .doesNotThrowAnyException();
  }

  @Test
  void armsInOneBinOfANumberDoNotShareACell() {
    String text =
        spec(S, "S -> A; P -> R; S -> R; A -> R", "f-ucb", "")
            .replace("A: {role: action, levels: [a0, a1]}", "P: {role: action, range: [0, 9]}")
            .replace("A -> R", "P -> R")
            .replace("S -> A; ", "")
            .replace("arms: all", "arms: [{id: a, P: 1}, {id: b, P: 2}]")
            .replace("A=a0", "a");
    assertThatThrownBy(() -> TestSpecs.compiled(text)).hasMessageContaining("variables.P.cuts");
    String cut = text.replace("range: [0, 9]", "range: [0, 9], cuts: [1.5]");
    assertThatCode(() -> TestSpecs.compiled(cut)).doesNotThrowAnyException();
    Policy before = TestSpecs.compiled(cut).policy();
    Policy after = TestSpecs.compiled(cut.replace("P: 2", "P: 3")).policy();
    assertThat(after.fingerprint()).isNotEqualTo(before.fingerprint());
  }

  @Test
  void aTableByTheBinOfAMediatorIsNotMultipliedWithWhatFollowsTheMediator() {
    String variables =
        S
            + "M: {role: mediator, range: [0, 1], cuts: [0.5]}\n"
            + "N: {role: mediator, levels: [n0, n1]}\n";
    String tables =
        """
        distributions:
          cpts:
            M: {given: [S, A], rows: [[v0, a0, 0.5, 0.5], [v0, a1, 0.5, 0.5], [v1, a0, 0.5, 0.5], [v1, a1, 0.5, 0.5]]}
            N: {given: [M], rows: [["[0,0.5)", 0.5, 0.5], ["[0.5,1]", 0.5, 0.5]]}
        """;
    String policy = "f-ucb, separating-set: [N]";
    String text = spec(variables, "S -> A; S -> M; A -> M; M -> N; N -> R", policy, tables);
    assertThatThrownBy(() -> TestSpecs.compiled(text)).hasMessageContaining("acts-by: bin");
    String bin = text.replace("cuts: [0.5]}", "cuts: [0.5], acts-by: bin}");
    assertThatCode(() -> TestSpecs.compiled(bin)).doesNotThrowAnyException();
  }

  /** A numeric mediator that S moves inside its bins leaves no certificate without data. */
  @Test
  void theBinOfAMediatorSeparatesNothing() {
    String variables = S + "M: {role: mediator, range: [0, 1], cuts: [0.5]}\n";
    String table =
        """
        distributions:
          cpts:
            M: {given: [S, A], rows: [[v0, a0, 0.5, 0.5], [v0, a1, 0.5, 0.5], [v1, a0, 0.5, 0.5], [v1, a1, 0.5, 0.5]]}
        """;
    String graph = "S -> A; S -> M; A -> M; M -> R";
    World world = new World(spec(variables, graph, "f-ucb" + ALL, table));
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 4000; round++) {
      int s = random.nextInt(2);
      int bin = random.nextInt(2);
      double m = bin * .5 + (s == 0 ? .1 : .4) * random.nextDouble();
      int arm = world.decide(Profile.of(s), s == 0 ? .15 : -.15);
      world.learn(Profile.of(s), arm, new int[] {bin}, random.nextDouble() < m ? 1 : 0);
    }
    world.assertSound();
  }

  /** income of 20 to 60 thousand in a range of a million follows S, and cancels its effect. */
  @ParameterizedTest
  @ValueSource(strings = {", usual-range: [20000, 60000]", ", usual-range: [0, 100000]"})
  void aUsualRangeBoundsTheCoefficientOfANumber(String usual) {
    String variables =
        S + "X: {role: context, range: [0, 1000000], cuts: [40000], missing: reject" + usual + "}";
    String policy = "linucb, model: shared, constraint: hard, explore: balanced";
    World world = new World(spec(variables, FOLLOWED, policy, "").replace("tau: 0.1", "tau: 0.15"));
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 8000; round++) {
      int s = random.nextInt(2);
      double income = 20_000 + 20_000 * s + 20_000 * random.nextDouble();
      Profile person = new Profile(new int[] {s, income < 40_000 ? 0 : 1}, new double[] {income});
      int arm = world.decide(person, s == 0 ? -.25 : .25);
      double mean = .125 + 12.5e-6 * income - .25 * s;
      world.learn(person, arm, new int[0], random.nextDouble() < mean ? 1 : 0);
    }
    world.assertSound();
    assertThat(world.guarantees).containsOnly(AuditGuarantee.ANYTIME);
  }

  /**
   * Where the spec states that a number acts by its bin, rewards within a bin tell that it does
   * not.
   */
  @ParameterizedTest
  @CsvSource({
    "'f-ucb', true",
    "'f-ucb', false",
    "'linucb, features: [intercept, one-hot: S, one-hot: X, one-hot: A]', true"
  })
  void aBinByWhichANumberDoesNotActIsRefuted(String policy, boolean actsByNumber) {
    String text = spec(number(", acts-by: bin"), CONFOUNDED, policy + ALL, "");
    World world = new World(text);
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 4000; round++) {
      double x = random.nextDouble();
      int s = random.nextDouble() < x ? 1 : 0;
      Profile person = new Profile(new int[] {s, x < .9 ? 0 : 1}, new double[] {x});
      int arm = world.decide(person, 0);
      double mean = .2 + .6 * (actsByNumber ? x : x < .9 ? .5 : 1);
      world.learn(person, arm, new int[0], random.nextDouble() < mean ? 1 : 0);
    }
    assertThat(world.isRefuted).isEqualTo(actsByNumber);
  }

  /** What the reward means is part of the statistics, and the refusal names the key. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          range: [0, 1], default: {value: 0} | 60s             | range: [0, 1], default: {value: 0}       | 20m | join.reward-window
          range: [0, 1]                      | 60s, aggregate: sum | range: [0, 1]                        | 20m, aggregate: sum | join.reward-window
          range: [0, 1]                      | 60s, aggregate: max, early-reward-timeout: 30s | range: [0, 1] | 60s, aggregate: max, early-reward-timeout: 10s | early-reward-timeout
          range: [0, 1], bounded: false, scale: 0.5 | 60s      | range: [0, 1], bounded: true, scale: 0.5 | 60s | reward.bounded
          """)
  void anotherMeaningOfTheRewardIsAnotherModel(
      String reward, String window, String rewardAfter, String windowAfter, String named) {
    for (String policy : List.of("f-ucb", "linucb, theta-norm: 2", "oam, horizon: 99")) {
      Policy before = withReward(policy, reward, window);
      Policy after = withReward(policy, rewardAfter, windowAfter);
      assertThat(after.fingerprint()).isNotEqualTo(before.fingerprint());
      assertThat(after.extensionOf(before)).isNull();
      assertThat(SpecDifference.of(before, after)).contains(named);
    }
  }

  @Test
  void theWindowOfAFirstRewardMayChange() {
    Policy before = withReward("f-ucb", "range: [0, 1]", "60s");
    Policy after = withReward("f-ucb", "range: [0, 1]", "20m");
    assertThat(after.fingerprint()).isEqualTo(before.fingerprint());
  }

  private static Policy withReward(String policy, String reward, String window) {
    String text =
        spec(S + X, CONFOUNDED, policy, "")
            .replace("reward: {range: [0, 1]}", "reward: {" + reward + "}")
            .replace("reward-window: 60s", "reward-window: " + window);
    return TestSpecs.compiled(text).policy();
  }

  /** A policy, what it decided, and how often a finding was false. */
  private static final class World {
    private final CompiledSpec compiled;
    private final Policy policy;
    private final MemoryModelState state = new MemoryModelState();
    private final List<Candidate> arms = new ArrayList<>();
    private final List<AuditGuarantee> guarantees = new ArrayList<>();
    private int round;
    private int falseCertificates;
    private int misses;
    private boolean isRefuted;

    World(String text) {
      compiled = TestSpecs.compiled(text);
      policy = compiled.policy();
      for (Arm arm : policy.spec().arms().list()) {
        arms.add(new Candidate(arm.id(), arms.size(), Profile.ofArm(arm)));
      }
    }

    private Request request(Profile person) {
      return new Request(person, arms, true, arms.size());
    }

    int decide(Profile person, double truth) {
      var decided =
          policy.decide(
              state,
              request(person),
              ++round,
              new SeededRandom(7, "s", "d" + round),
              ClippedIndex.NONE);
      for (AuditFinding finding : decided.findings()) {
        guarantees.add(finding.guarantee());
        boolean isCertified = finding.verdict() == AuditVerdict.CERTIFIED_FAIR;
        falseCertificates += isCertified && Math.abs(truth) > finding.tau() ? 1 : 0;
        boolean isMissed = truth < finding.effect().lower() || truth > finding.effect().upper();
        misses += isMissed ? 1 : 0;
      }
      return decided.choice().arm();
    }

    void learn(Profile person, int arm, int[] mediators, double reward) {
      Experience experience =
          new Experience(
              person.levels(),
              policy.inputs(request(person), arm),
              arm,
              policy.spec().arms().get(arm).levels(),
              arm,
              mediators,
              reward);
      policy.learn(state, experience, round);
      Assumptions assumptions = compiled.assumptions();
      if (assumptions.observe(state, experience, round)) {
        isRefuted = assumptions.next(state) != null;
      }
    }

    void assertSound() {
      assertThat(falseCertificates).as("false certificates").isZero();
      assertThat(misses).as("intervals without the truth").isZero();
    }
  }
}
