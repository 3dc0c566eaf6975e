package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What no feature shows is not fair for that: of models over features, and their constraints. */
class UnseenAttributeTest {
  private static final String CAUSES = "dag { {S T} -> A; {S T A X} -> R }";
  private static final String OF_OTHERS = ", features: [intercept, one-hot: X, one-hot: A]";
  private static final int ROUNDS = 200;

  /** The right arm pays more, and both pay people of S = a alone. */
  private static double paid(Profile person, int arm) {
    return person.levels()[0] == 0 ? .4 + .5 * arm : 0;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb-unaware",
        "linucb" + OF_OTHERS,
        "fair-linucb, groups: {attribute: S, privileged: a, protected: b}" + OF_OTHERS,
        "lin-ts" + OF_OTHERS,
        "ofulog" + OF_OTHERS,
        "glm-ucb" + OF_OTHERS,
        "oam, horizon: 1000" + OF_OTHERS
      })
  void anEffectThatNoFeatureShowsIsNotIdentified(String policy) {
    Policy bandit = bandit(policy, CAUSES);
    for (AuditedChoice decided : play(bandit, ROUNDS)) {
      assertFalse(decided.choice().certified());
      for (AuditFinding finding : of(decided, 0)) {
        assertEquals(AuditVerdict.NOT_IDENTIFIED, finding.verdict());
        EffectFinding auditEffect = finding.effect();
        assertEquals(List.of(-1.0, 1.0), List.of(auditEffect.lower(), auditEffect.upper()));
        assertEquals(0, auditEffect.estimate(), 0);
        assertEquals(1, auditEffect.unsupportedShare());
        assertNull(auditEffect.leverage());
      }
    }
    assertTrue(bandit.warnings().stream().anyMatch(said -> said.startsWith("no feature shows S")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb-unaware",
        "linucb" + OF_OTHERS,
        "ofulog" + OF_OTHERS,
        "oam, horizon: 9" + OF_OTHERS
      })
  void theGraphMayProveThatThereIsNone(String policy) {
    for (String graph :
        List.of(
            "dag { S -> {X A}; {T A X} -> R }", "dag { U [latent] U -> {S T}; {T A X} -> R }")) {
      Policy bandit = bandit(policy, graph);
      for (AuditFinding finding : of(play(bandit, 1).get(0), 0)) {
        assertEquals(AuditVerdict.CERTIFIED_FAIR, finding.verdict(), graph);
        assertEquals(0, finding.effect().worst());
      }
      assertFalse(bandit.warnings().stream().anyMatch(said -> said.contains("shows S")));
    }
    String hidden = "dag { U [latent] U -> {S R}; {T A X} -> R }";
    AuditFinding finding = of(play(bandit(policy, hidden), 1).get(0), 0).get(0);
    assertEquals(AuditVerdict.NOT_IDENTIFIED, finding.verdict());
  }

  /** Otherwise an arm with an effect that no other has is certified with the others. */
  @ParameterizedTest
  @ValueSource(strings = {"linucb, model: shared", "screen", "oam, horizon: 1000"})
  void oneEffectForAllArmsIsNamed(String policy) {
    String said = bandit(policy, CAUSES).warnings().toString();
    assertFalse(said.contains("one effect"), "by default each arm has its own: " + said);
    String features = ", features: [intercept, one-hot: X, one-hot: S, one-hot: T, one-hot: A%s]";
    for (String one : List.of("", ", product: [{one-hot: S}, {one-hot: X}]")) {
      Policy bandit = bandit(policy + features.formatted(one), CAUSES);
      said = bandit.warnings().toString();
      for (String name : List.of("S", "T")) {
        String product = "Add {product: [{one-hot: %s}, {one-hot: A}]} to".formatted(name);
        assertTrue(said.contains("the model has one effect of %s for all arms".formatted(name)));
        assertTrue(said.contains(product), said);
      }
      assertEquals(Set.of(AuditGuarantee.APPROXIMATE), guarantees(bandit));
    }
    String product = ", product: [{one-hot: S}, {level: {of: X, is: low}}, {one-hot: A}]";
    Policy bandit = bandit(policy + features.formatted(product), CAUSES);
    said = bandit.warnings().toString();
    assertFalse(said.contains("one effect of S"), said);
    assertTrue(said.contains("one effect of T"), said);
    if (!policy.equals("screen")) {
      assertEquals(Set.of(AuditGuarantee.ANYTIME, AuditGuarantee.APPROXIMATE), guarantees(bandit));
    }
    String harmless = "dag { S -> A; {T A X} -> R }";
    String all = bandit(policy + features.formatted(""), harmless).warnings().toString();
    assertFalse(all.contains("one effect of S"), "the graph excludes an effect: " + all);
    assertTrue(all.contains("one effect of T"), all);
  }

  /** Of the arms without a feature of their own no effect differs from another's. */
  @Test
  void anEffectOfSomeArmsOnlyIsNamed() {
    String ofLeft =
        "ofulog, features: [intercept, one-hot: X, one-hot: S, one-hot: T, one-hot: A,"
            + " product: [{one-hot: S}, {level: {of: A, is: left}}]]";
    assertTrue(bandit(ofLeft, CAUSES, "left, mid, right").warnings().toString().contains("of S"));
    assertFalse(bandit(ofLeft, CAUSES).warnings().toString().contains("one effect of S"));
  }

  /** A product with one of two actions lets arms that differ in the other share an effect. */
  @Test
  void eachActionThatTellsArmsApartIsNamed() {
    String spec =
        """
        name: two
        version: 1
        segments: default
        variables:
          S: {role: sensitive, levels: [a, b], missing: reject}
          A: {role: action, levels: [left, right]}
          B: {role: action, levels: [red, blue]}
          R: {role: reward}
        graph: "dag { {S A B} -> R }"
        arms: %s
        reward: {range: [0, 1]}
        policy: {name: linucb, model: shared, features: [one-hot: S, one-hot: A, one-hot: B%s]}
        fairness: {tau: 0.3}
        join: {reward-window: 60s}
        """;
    String ofA = ", product: [{one-hot: S}, {one-hot: A}]";
    String ofB = ", product: [{one-hot: S}, {one-hot: B}]";
    String said = warnings(spec.formatted("all", ""));
    assertTrue(said.contains("differ in A or B alone"), said);
    assertTrue(said.contains("{one-hot: A}]} and {product: [{one-hot: S}, {one-hot: B}]}"), said);
    said = warnings(spec.formatted("all", ofA));
    assertTrue(said.contains("differ in B alone"), said);
    assertFalse(warnings(spec.formatted("all", ofA + ofB)).contains("one effect"));
    String apart = "[{A: left, B: red}, {A: right, B: blue}]";
    assertFalse(warnings(spec.formatted(apart, ofA)).contains("one effect"), "A tells them apart");
  }

  private static String warnings(String spec) {
    return TestSpecs.compiled(spec).policy().warnings().toString();
  }

  private static Set<AuditGuarantee> guarantees(Policy bandit) {
    return play(bandit, 1).get(0).findings().stream()
        .map(AuditFinding::guarantee)
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(strings = {"linucb, model: disjoint", "f-ucb"})
  void modelsOfOneArmEachHaveEffectsOfTheirOwn(String policy) {
    String said = bandit(policy, CAUSES).warnings().toString();
    assertFalse(said.contains("one effect"), said);
  }

  /** The level that is shown is compared with a mixture of the others. */
  @ParameterizedTest
  @ValueSource(strings = {"linucb", "oam, horizon: 1000"})
  void levelsThatFeaturesDoNotTellApartAreNotIdentified(String policy) {
    String ofB = ", features: [intercept, level: {of: S, is: b}, one-hot: T, one-hot: A]";
    Policy bandit = bandit(policy + ofB, CAUSES);
    assertTrue(bandit.warnings().toString().contains("no feature shows the levels [a, c] of S"));
    for (AuditedChoice decided : play(bandit, ROUNDS)) {
      assertFalse(decided.choice().certified());
      assertEquals(2, of(decided, 0).size());
      for (AuditFinding finding : of(decided, 0)) {
        assertEquals(AuditVerdict.NOT_IDENTIFIED, finding.verdict());
      }
    }
  }

  /** The effect of what is shown bounds nothing where something else changes with it. */
  @ParameterizedTest
  @ValueSource(strings = {"linucb", "oam, horizon: 1000"})
  void attributesThatChangeTogetherMustAllBeShown(String policy) {
    String ofT = ", features: [intercept, one-hot: T, one-hot: A]";
    int joint = 3;
    AuditedChoice last = play(bandit(policy + ofT, CAUSES), 1).get(0);
    assertEquals(AuditVerdict.NOT_IDENTIFIED, of(last, joint).get(0).verdict());
    assertEquals(1, of(last, joint).get(0).effect().upper());
    assertNull(of(last, joint).get(0).effect().leverage());
    assertNotNull(of(last, 1).get(0).effect().leverage(), "T alone is shown");
    String harmless = "dag { {S T} -> A; {T A X} -> R }";
    last = play(bandit(policy + ofT, harmless), 1).get(0);
    assertNotNull(of(last, joint).get(0).effect().leverage(), "S adds nothing");
  }

  /** No feature tells what S does to the right arm. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb, model: shared, constraint: hard",
        "linucb, model: shared, constraint: screen",
        "linucb, model: shared, constraint: dual-upper",
        "screen, slack: 0",
        "dual-upper"
      })
  void aLimitOnEffectsThatOnlySomeArmsShowIsRefused(String policy) {
    String ofLeft =
        ", features: [one-hot: A, one-hot: T, product: [{one-hot: S}, {level: {of: A, is: left}}]]";
    String message = refusal(policy + ofLeft, CAUSES);
    assertTrue(message.contains("no term that shows S given"), message);
  }

  @Test
  void aLimitOnWhatIsNotSeenIsRefusedWithTheRemedy() {
    for (String policy :
        List.of(
            "linucb, constraint: hard",
            "linucb, constraint: dual",
            "linucb, constraint: dual-upper",
            "epsilon-greedy, constraint: screen",
            "cclb",
            "screen",
            "dual-upper")) {
      String ofT = ", features: [intercept, one-hot: T, one-hot: X, one-hot: A]";
      String message = refusal(policy + ofT, CAUSES);
      assertTrue(message.contains("policy.features: no term that shows S given"), message);
      assertTrue(message.contains("{one-hot: S} among them"), message);
      bandit(policy + ofT, "dag { {S T} -> A; {T A X} -> R }");
      bandit(policy, CAUSES);
    }
    String message = refusal("linucb-unaware, constraint: hard", CAUSES);
    assertTrue(
        message.contains("policy.constraint: hard of linucb-unaware without [S, T]"), message);
    assertTrue(message.contains("none, or linucb"), message);
    bandit("linucb-unaware, drop: [X], constraint: hard", CAUSES);
  }

  private static String refusal(String policy, String graph) {
    return String.valueOf(
        assertThrows(SpecException.class, () -> bandit(policy, graph)).getMessage());
  }

  private static List<AuditFinding> of(AuditedChoice decided, int attribute) {
    List<AuditFinding> found =
        decided.findings().stream()
            .filter(finding -> finding.effect().attribute() == attribute)
            .toList();
    assertFalse(found.isEmpty());
    return found;
  }

  private static List<AuditedChoice> play(Policy bandit, int rounds) {
    ModelState modelState = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(3);
    List<AuditedChoice> decided = new ArrayList<>();
    for (int t = 1; t <= rounds; t++) {
      Request request = request(person(random));
      decided.add(
          bandit.decide(
              modelState, request, t, new SeededRandom(1, "s", "d" + t), ClippedIndex.NONE));
      int arm = decided.get(t - 1).choice().arm();
      double reward = random.nextDouble() < paid(request.person(), arm) ? 1 : 0;
      learn(bandit, modelState, request, arm, reward);
    }
    return decided;
  }

  private static Profile person(SplittableRandom random) {
    return Profile.of(random.nextInt(3), random.nextInt(2), random.nextInt(2));
  }

  private static Request request(Profile person) {
    List<Candidate> offers =
        List.of(
            new Candidate("A=left", 0, Profile.of(0)), new Candidate("A=right", 1, Profile.of(1)));
    return new Request(person, offers, true, 2);
  }

  private static void learn(
      Policy bandit, ModelState modelState, Request request, int arm, double reward) {
    double[] inputs = bandit.inputs(request, arm);
    int[] person = request.person().levels();
    bandit.learn(modelState, new Experience(person, inputs, arm, arm, new int[0], reward), 1);
  }

  private static Policy bandit(String policy, String graph) {
    return bandit(policy, graph, "left, right");
  }

  private static Policy bandit(String policy, String graph, String arms) {
    return TestSpecs.compiled(
            """
            name: unseen
            version: 1
            segments: default
            variables:
              S: {role: sensitive, levels: [a, b, c], missing: reject}
              T: {role: sensitive, levels: [d, e], missing: reject}
              X: {role: context, levels: [low, high]}
              A: {role: action, levels: [%s]}
              R: {role: reward}
            graph: "%s"
            arms: all
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {tau: 0.3, intersections: true}
            join: {reward-window: 60s, fallback: "A=left"}
            """
                .formatted(arms, graph, policy))
        .policy();
  }
}
