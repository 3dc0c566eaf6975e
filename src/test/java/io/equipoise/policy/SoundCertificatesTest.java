package io.equipoise.policy;

import static io.equipoise.event.AuditGuarantee.ANYTIME;
import static io.equipoise.event.AuditGuarantee.APPROXIMATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.LinearPolicy;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Worlds in which a certificate could be false: the graph does not identify the effect, people do
 * not disclose what the effect is confounded by, or there are no data.
 */
@Tag("slow")
class SoundCertificatesTest {
  private static final String EXPLORE = "explore: {share: 0.2, over: all}";
  private static final int V1 = 1;
  private static final int UNDISCLOSED = 2;

  private static String spec(
      String variables, String graph, String tables, String reward, String policy, double tau) {
    return """
           name: w
           version: 1
           segments: default
           variables:
           %s
             A: {role: action, levels: [a0, a1]}
             R: {role: reward}
           graph: "dag { %s }"
           arms: all
           %s
           reward: {%s}
           policy: {name: %s}
           fairness: {tau: %s, delta: 0.05}
           join: {reward-window: 60s, fallback: "A=a0"}
           """
        .formatted(variables.indent(2).stripTrailing(), graph, tables, reward, policy, tau);
  }

  private static void assertNotIdentified(String text) {
    SpecException refused =
        assertThrows(SpecException.class, () -> CompiledSpec.of(SpecParser.parse(text)));
    assertTrue(refused.toString().contains("NOT_IDENTIFIED"), refused.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"f-ucb", "ucb", "linucb", "screen", "cclb"})
  void aHiddenCommonCauseOfAnAttributeAndTheRewardIsRefused(String policy) {
    String variables =
        "S: {role: sensitive, levels: [v0, v1]}\nX: {role: context, levels: [x0, x1]}";
    String graph = "S -> A; X -> A; S -> X; %s; S -> R; X -> R; A -> R";
    for (String hidden : List.of("S <-> R", "S <-> X; X <-> R", "X <-> R")) {
      assertNotIdentified(
          spec(variables, graph.formatted(hidden), "", "range: [0, 1]", policy, .15));
    }
    String disjoint = "S -> A; X -> A; %s; S -> R; X -> R; A -> R";
    CompiledSpec.of(
        SpecParser.parse(
            spec(variables, disjoint.formatted("X <-> R"), "", "range: [0, 1]", policy, .15)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"f-ucb", "ucb"})
  void aHiddenCommonCauseOfAnAttributeAndAMediatorOutsideTheCellsIsRefused(String policy) {
    String variables =
        "S: {role: sensitive, levels: [v0, v1]}\nM: {role: mediator, levels: [m0, m1]}";
    String graph = "S -> A; A -> M; S <-> M; M -> R; S -> R";
    String table =
        """
        distributions:
          cpts:
            M: {given: [A], rows: [[a0, 0.5, 0.5], [a1, 0.5, 0.5]]}
        """;
    assertNotIdentified(spec(variables, graph, table, "range: [0, 1]", policy, .15));
  }

  @Test
  void aHiddenCommonCauseOfTwoMediatorsIsRefused() {
    String variables =
        """
        S: {role: sensitive, levels: [v0, v1]}
        M0: {role: mediator, levels: [m0, m1]}
        M1: {role: mediator, levels: [m0, m1]}
        """;
    String graph = "S -> A; S -> M0; A -> M0; A -> M1; %sM0 -> R; M1 -> R";
    String tables =
        """
        distributions:
          cpts:
            S: {given: [], rows: [[0.5, 0.5]]}
            M0: {given: [S, A], rows: [[v0, a0, 0.5, 0.5], [v0, a1, 0.5, 0.5],
                                       [v1, a0, 0.5, 0.5], [v1, a1, 0.5, 0.5]]}
            M1: {given: [A], rows: [[a0, 0.5, 0.5], [a1, 0.5, 0.5]]}
        """;
    String policy = "f-ucb, separating-set: [M0, M1]";
    String sound = spec(variables, graph.formatted(""), tables, "range: [0, 1]", policy, .1);
    CompiledSpec.of(SpecParser.parse(sound));
    String hidden =
        spec(variables, graph.formatted("M0 <-> M1; "), tables, "range: [0, 1]", policy, .1);
    SpecException refused =
        assertThrows(SpecException.class, () -> CompiledSpec.of(SpecParser.parse(hidden)));
    assertTrue(refused.toString().contains("M0 <-> M1"), refused.toString());
  }

  /** What a world shows of a person, and what it pays. */
  private static final class World {
    private final Policy bandit;
    private final ModelState modelState = new MemoryModelState();
    private final List<Candidate> offers = new ArrayList<>();
    private int t;
    private int certified;
    private int identified;
    private int outside;
    private double againstNorm = Double.NEGATIVE_INFINITY;
    private final Set<AuditGuarantee> guarantees = EnumSet.noneOf(AuditGuarantee.class);

    World(String text) {
      bandit = TestSpecs.compiled(text).policy();
      for (Arm arm : bandit.spec().arms().list()) {
        offers.add(new Candidate(arm.id(), offers.size(), Profile.ofArm(arm)));
      }
    }

    /** Decides; checks findings on one attribute against the truth of each factual level. */
    int decide(Profile person, int attribute, double... truthByFactual) {
      Request request = new Request(person, offers, true, offers.size());
      AuditedChoice choice =
          bandit.decide(
              modelState, request, ++t, new SeededRandom(1, "s", "d" + t), ClippedIndex.NONE);
      for (AuditFinding finding : choice.findings()) {
        guarantees.add(finding.guarantee());
        if (finding.effect().attribute() == attribute) {
          double truth = truthByFactual[finding.effect().factual()];
          boolean isCertified = finding.verdict() == AuditVerdict.CERTIFIED_FAIR;
          certified += isCertified && Math.abs(truth) > finding.tau() ? 1 : 0;
          identified += finding.verdict() == AuditVerdict.NOT_IDENTIFIED ? 0 : 1;
          outside += truth < finding.effect().lower() || truth > finding.effect().upper() ? 1 : 0;
        }
      }
      return choice.choice().arm();
    }

    void learn(Profile person, int arm, double reward) {
      Request request = new Request(person, offers, true, offers.size());
      Experience experience =
          new Experience(
              person.levels(),
              bandit.inputs(request, arm),
              arm,
              bandit.spec().arms().list().get(arm).levels(),
              arm,
              new int[0],
              reward);
      bandit.learn(modelState, experience, t);
      double log = logEvidence(experience);
      againstNorm = Double.isNaN(log) ? againstNorm : Math.max(againstNorm, log);
    }

    private double logEvidence(Experience experience) {
      return bandit instanceof LinearPolicy linear
          ? linear.logEvidenceAgainstNorm(modelState, experience)
          : Double.NEGATIVE_INFINITY;
    }

    void assertSound() {
      assertEquals(0, certified, "false certificates");
      assertEquals(0, outside, "intervals without the truth");
    }
  }

  /** U causes S and the reward, and 30 % do not disclose it. */
  @ParameterizedTest
  @CsvSource({
    "'f-ucb, %e', level, sensitive, 6000",
    "'ucb, %e', level, sensitive, 6000",
    "'f-ucb, %e', marginalize, context, 6000",
    "'linucb, model: shared, theta-norm: 2, features: [intercept, one-hot: U, one-hot: S,"
        + " one-hot: A], %e', level, sensitive, 8000",
    "'screen, features: [intercept, one-hot: U, one-hot: S, one-hot: A], %e', level, sensitive,"
        + " 3000"
  })
  void whatIsNotDisclosedConfoundsNothing(String policy, String missing, String role, int rounds) {
    String variables =
        """
        U: {role: %s, levels: [u0, u1], missing: %s}
        S: {role: sensitive, levels: [v0, v1], missing: reject}
        """
            .formatted(role, missing);
    String tables =
        """
        distributions:
          cpts:
            U: {given: [], rows: [[0.5, 0.5]]}
            S: {given: [U], rows: [[u0, 0.9, 0.1], [u1, 0.1, 0.9]]}
        """;
    String graph = "U -> A; S -> A; U -> S; U -> R; S -> R; A -> R";
    World world =
        new World(
            spec(variables, graph, tables, "range: [0, 1]", policy.replace("%e", EXPLORE), .2));
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < rounds; round++) {
      int u = random.nextInt(2);
      int s = random.nextDouble() < .9 ? u : 1 - u;
      Profile person = Profile.of(random.nextDouble() < .7 ? u : UNDISCLOSED, s);
      int arm = world.decide(person, 1, -.3, .3);
      double mean = .5 + .35 * (u - .5) - .3 * (s - .5) + .05 * arm;
      world.learn(person, arm, random.nextDouble() < mean ? 1 : 0);
    }
    world.assertSound();
    assertTrue(world.identified > 0);
  }

  /** The row of somebody who does not disclose S spoils the effects of those who do. */
  @ParameterizedTest
  @CsvSource({"none, shared, 0.35", "hard, shared, 0.37", "screen, disjoint, 0.35"})
  void incompleteRowsSpoilNoEffect(String constraint, String theta, double tau) {
    String variables =
        "S: {role: sensitive, levels: [v0, v1]}\nX: {role: context, levels: [x0, x1]}";
    String policy =
        "linucb, model: %s, theta-norm: 2, features: [intercept, one-hot: X, one-hot: S, one-hot:"
            + " A], constraint: %s, %s";
    World world =
        new World(
            spec(
                variables,
                "X -> A; S -> A; S -> X; X -> R; S -> R; A -> R",
                "",
                "range: [0, 1], bounded: false, scale: 0.3",
                policy.formatted(theta, constraint, EXPLORE),
                tau));
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < Tier.count(8_000, 16_000); round++) {
      int s = random.nextInt(2);
      int x = random.nextDouble() < .9 ? s : 1 - s;
      Profile person = Profile.of(random.nextDouble() < .3 ? UNDISCLOSED : s, x);
      int arm = world.decide(person, 0, .4, -.4);
      double noise = .1 * (random.nextDouble() + random.nextDouble() - 1);
      world.learn(person, arm, .3 + .4 * s + .05 * arm + noise);
    }
    world.assertSound();
  }

  /** A number that is not disclosed is no number in the middle of its range. */
  @ParameterizedTest
  @ValueSource(strings = {"{one-hot: S}", "{one-hot: S}, {product: [{one-hot: S}, {number: X}]}"})
  void anUndisclosedNumberIsNotTheMiddleOfItsRange(String terms) {
    String variables =
        """
        S: {role: sensitive, levels: [v0, v1], missing: reject}
        X: {role: context, range: [0, 1], cuts: [0.5], missing: level}
        """;
    String policy =
        "linucb, model: shared, theta-norm: 2, features: [intercept, {number: X}, {one-hot: A}, "
            + terms
            + "], "
            + EXPLORE;
    World world =
        new World(
            spec(
                variables,
                "X -> A; S -> A; S -> X; X -> R; S -> R; A -> R",
                "",
                "range: [0, 1], bounded: false, scale: 0.25",
                policy,
                .2));
    SplittableRandom random = new SplittableRandom(1);
    int disclosing = 0;
    for (int round = 0; round < 6000; round++) {
      int s = random.nextInt(2);
      double x = .8 * s + .2 * random.nextDouble();
      boolean isDisclosed = random.nextDouble() >= .3;
      disclosing += isDisclosed ? 1 : 0;
      Profile person =
          new Profile(
              new int[] {s, isDisclosed ? (x < .5 ? 0 : 1) : UNDISCLOSED},
              new double[] {isDisclosed ? x : .5});
      int arm = world.decide(person, 0, -.25, .25);
      double noise = .1 * (random.nextDouble() + random.nextDouble() - 1);
      world.learn(person, arm, .5 + .5 * (x - .5) - .25 * (s - .5) + .05 * arm + noise);
    }
    world.assertSound();
    boolean isBilinear = terms.contains("product");
    assertEquals(isBilinear ? disclosing : 6000, world.identified);
  }

  /** People fill 4 % of the range, so a coefficient is larger than the range of rewards. */
  @ParameterizedTest
  @CsvSource({
    "'', none, '', true",
    "', theta-norm: 20', hard, '', false",
    "'', hard, ', usual-range: [0, 60000]', false"
  })
  void anAssumedNormCertifiesNothingWithoutDataAndIsRefuted(
      String norm, String constraint, String usual, boolean isRefuted) {
    String variables =
        """
        S: {role: sensitive, levels: [v0, v1], missing: reject}
        income: {role: context, range: [0, 1000000], cuts: [30000]%s}
        """
            .formatted(usual);
    String policy =
        "linucb, model: shared, features: [intercept, {one-hot: A}, {one-hot: S}, {product:"
            + " [{one-hot: S}, {one-hot: A}]}, {product: [{one-hot: S}, {number: {of: income,"
            + " scale: 1000000}}]}], explore: {share: 0.1,"
            + " over: all}, constraint: "
            + constraint
            + norm;
    String text =
        spec(
            variables,
            "income -> A; S -> A; income -> R; S -> R; A -> R",
            "",
            "range: [0, 1]",
            policy,
            .15);
    World world = new World(text);
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < Tier.count(10_000, 20_000); round++) {
      int s = random.nextInt(2);
      double income = 20_000 + 40_000 * random.nextDouble();
      Profile person = new Profile(new int[] {s, income < 30_000 ? 0 : 1}, new double[] {income});
      double p0 = .1 + 2e-6 * income;
      double p1 = .1 + 14e-6 * income;
      int arm = world.decide(person, 0, p1 - p0, p0 - p1);
      world.learn(person, arm, random.nextDouble() < (s == V1 ? p1 : p0) ? 1 : 0);
    }
    if (!isRefuted) {
      world.assertSound();
    }
    assertEquals(isRefuted, world.againstNorm >= Math.log(1000), "e-value " + world.againstNorm);
    assertEquals(isRefuted ? Set.of(APPROXIMATE) : Set.of(ANYTIME), world.guarantees);
  }

  /** Fifty features make the ball of the prior small in every direction. */
  @Test
  void aLogisticModelCertifiesNothingWithoutData() {
    List<String> levels = new ArrayList<>();
    for (int x = 0; x < 100; x++) {
      levels.add("x" + x);
    }
    String variables =
        "S: {role: sensitive, levels: [v0, v1], missing: reject}\nX: {role: context, levels: "
            + levels
            + "}";
    World world =
        new World(
            spec(
                variables,
                "X -> A; S -> A; X -> R; S -> R; A -> R",
                "",
                "range: [0, 1]",
                "screen",
                .25));
    SplittableRandom random = new SplittableRandom(1);
    double p0 = 1 / (1 + Math.exp(1.5));
    double p1 = 1 / (1 + Math.exp(-1.5));
    for (int round = 0; round < 600; round++) {
      int s = random.nextInt(2);
      Profile person = Profile.of(s, random.nextInt(100));
      int arm = world.decide(person, 0, p1 - p0, p0 - p1);
      world.learn(person, arm, random.nextDouble() < (s == V1 ? p1 : p0) ? 1 : 0);
    }
    world.assertSound();
  }
}
