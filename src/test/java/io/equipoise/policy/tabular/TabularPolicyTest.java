package io.equipoise.policy.tabular;

import static io.equipoise.policy.TestSpec.mediated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditInterval;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.Choice;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.TestSpec;
import io.equipoise.segmentspec.SpecException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TabularPolicyTest {
  private static final SeededRandom DRAW = new SeededRandom(7, "s", "d");

  private static String faultsOf(TestSpec spec) {
    return assertThrows(SpecException.class, spec::compile).getMessage();
  }

  @Test
  void cellsAreCountedInTheOrderOfTheContract() {
    TabularPolicy bandit =
        TestSpec.spec()
            .variable("S", "sensitive", 2)
            .variable("C", "context", 3)
            .variable("A", "action", 2)
            .graph("S -> R C -> R A -> R")
            .policy("name: ucb")
            .compile();
    ModelState modelState = new MemoryModelState();
    bandit.learn(modelState, new int[] {2, 1}, 1, new int[0], .5);
    assertEquals(7, modelState.entries().iterator().next().getKey()); // undisclosed is level 2 of S
    assertEquals(1, ((CellBlock) modelState.entries().iterator().next().getValue()).n(1));
    assertEquals(18, bandit.cells());
  }

  @Test
  void aCertifiedArmIsPreferredToABetterPaidOne() {
    TabularPolicy bandit = mediated().compile();
    ModelState modelState = new MemoryModelState();
    for (int i = 0; i < 50; i++) {
      bandit.learn(modelState, new int[] {0, 0}, 0, new int[] {0}, 1);
      bandit.learn(modelState, new int[] {0, 0}, 0, new int[] {1}, 0);
    }
    Choice choice = bandit.choose(modelState, new int[] {0, 0}, 100, DRAW);
    assertEquals(0, choice.arm());
    assertTrue(choice.certified());
    assertEquals(1, choice.fairSetSize());
    assertEquals(1, Objects.requireNonNull(choice.excluded()).arm());
    assertEquals(DecisionReason.EXPLOIT, choice.reason());
    assertEquals(choice.mean() + choice.width(), choice.index(), 1e-15);
    assertEquals(.5, choice.mean(), 1e-15);
    assertEquals(PropensityKind.DETERMINISTIC, choice.propensityKind());
    assertEquals(1, choice.propensities()[0]);
  }

  /** Region and cells of a version are bounded by events that no earlier version paid for. */
  @Test
  void everyVersionWithOtherCellsHasAShareOfDeltaOfItsOwn() {
    TabularPolicy one = mediated().compile();
    TabularPolicy other = mediated().fairness("tau: 0.2, delta: 0.01").compile();
    ModelState modelState = new MemoryModelState();
    assertEquals(List.of(), one.succeed(null, modelState));
    int[] person = {0, 0};
    for (int i = 0; i < 500; i++) {
      one.learn(modelState, person, 1, new int[] {i % 2}, i % 3 == 0 ? 1 : 0);
    }
    double before = width(one, modelState, person);
    one.succeed(one, modelState);
    assertEquals(before, width(one, modelState, person), "nothing is shared otherwise");
    other.succeed(one, modelState);
    one.succeed(other, modelState);
    assertTrue(width(one, modelState, person) > before * 1.02, "delta is given out once");
  }

  private static double width(TabularPolicy policy, ModelState modelState, int[] person) {
    return width(policy, modelState, person, 1);
  }

  private static double width(TabularPolicy policy, ModelState modelState, int[] person, int arm) {
    AuditFinding finding = policy.audit(modelState, person, arm, 100).get(0);
    return finding.effect().upper() - finding.effect().lower();
  }

  @Test
  void withoutACertifiedArmTheKnownSafeOneWithTheBestIndexServes() {
    TestSpec spec = mediated().arms("[{id: a, A: '1'}, {id: b, A: '2'}]");
    Choice smallest = spec.compile().choose(new MemoryModelState(), new int[] {0, 0}, 1, DRAW);
    assertEquals(1, smallest.arm(), "total variation .6 is less than .8");
    assertEquals(DecisionReason.UNCERTIFIED, smallest.reason());
    assertFalse(smallest.certified());
    assertEquals(0, smallest.fairSetSize());
    spec.policy("name: f-ucb, safe: [{A: ['1']}]");
    Choice safe = spec.compile().choose(new MemoryModelState(), new int[] {0, 0}, 1, DRAW);
    assertEquals(0, safe.arm());
    assertEquals(DecisionReason.FALLBACK, safe.reason());
    assertFalse(safe.certified());
  }

  @Test
  void aPolicyWithoutAConstraintSaysWhetherItsArmIsCertified() {
    TabularPolicy bandit = mediated().policy("name: d-ucb").compile();
    Choice choice = bandit.choose(new MemoryModelState(), new int[] {0, 0}, 1, DRAW);
    assertEquals(0, choice.arm());
    assertTrue(choice.certified());
    assertEquals(-1, choice.fairSetSize());
    assertNull(choice.excluded());
  }

  @Test
  void ucbTriesEveryArmFirst() {
    TabularPolicy bandit = mediated().policy("name: ucb").compile();
    ModelState modelState = new MemoryModelState();
    for (int arm = 0; arm < 3; arm++) {
      Choice choice = bandit.choose(modelState, new int[] {0, 1}, arm + 1, DRAW);
      assertEquals(arm, choice.arm());
      assertEquals(1e6, choice.index());
      bandit.learn(modelState, new int[] {0, 1}, arm, new int[] {-1}, .9);
    }
    assertTrue(bandit.choose(modelState, new int[] {0, 1}, 4, DRAW).index() < 9);
  }

  @Test
  void seededTiesAreDrawnUniformlyAndSaySo() {
    TabularPolicy bandit = mediated().policy("name: ucb, ties: seeded").compile();
    int[] count = new int[3];
    for (int i = 0; i < 3000; i++) {
      SeededRandom seededRandom = new SeededRandom(7, "s", "d" + i);
      Choice choice = bandit.choose(new MemoryModelState(), new int[] {0, 0}, 1, seededRandom);
      count[choice.arm()]++;
      assertEquals(1 / 3.0, choice.propensities()[choice.arm()]);
      assertEquals(PropensityKind.EXACT, choice.propensityKind());
      assertEquals(
          choice, bandit.choose(new MemoryModelState(), new int[] {0, 0}, 1, seededRandom));
    }
    for (int arms : count) {
      assertEquals(1000, arms, 110, "four standard deviations");
    }
  }

  @Test
  void scoresWithinTheToleranceAreTies() {
    BestScore lowest = new BestScore(io.equipoise.segmentspec.Ties.LOWEST);
    boolean[] all = {true, true, true};
    assertEquals(0, lowest.of(new double[] {1, 1 + 9e-10, 0}, all, DRAW).arm());
    assertEquals(1, lowest.of(new double[] {1, 1 + 2e-9, 0}, all, DRAW).arm());
  }

  @Test
  void aMissingMediatorOfWCannotBeLearned() {
    TabularPolicy bandit = mediated().compile();
    assertFalse(bandit.canLearn(new int[] {-1}));
    assertTrue(bandit.canLearn(new int[] {1}));
    assertTrue(mediated().policy("name: ucb").compile().canLearn(new int[] {-1}));
    assertThrows(
        IllegalArgumentException.class,
        () -> bandit.learn(new MemoryModelState(), new int[] {0, 0}, 0, new int[] {-1}, 1));
  }

  /** What a job throws is in its logs and on Flink's pages. */
  @Test
  void theRefusalOfAContextNamesTheFaultAndNoOtherLevel() {
    TabularPolicy bandit = mediated().compile();
    assertEquals(
        "level 2 of 2 of the context variable at 1",
        assertThrows(
                IllegalArgumentException.class,
                () -> bandit.choose(new MemoryModelState(), new int[] {0, 2}, 1, DRAW))
            .getMessage());
  }

  @Test
  void aContextThatCannotBeIsRefused() {
    TabularPolicy bandit = mediated().compile();
    for (int[] context : new int[][] {{0}, {0, 2}, {2, 0}, {-1, 0}}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> bandit.choose(new MemoryModelState(), context, 1, DRAW));
    }
  }

  @Test
  void anUndisclosedAttributeIsAuditedForEveryOrderedPair() {
    TabularPolicy bandit = mediated("").cpt("S", "", "[.25, .75]").compile();
    ModelState modelState = new MemoryModelState();
    List<AuditFinding> findings = bandit.audit(modelState, new int[] {2, 0}, 1, 1);
    assertEquals(2, findings.size());
    assertEquals(0, findings.get(0).effect().factual());
    assertEquals(1, findings.get(0).effect().counterfactual());
    assertEquals(1, findings.get(1).effect().factual());
    assertEquals(AuditVerdict.NO_OVERLAP, findings.get(0).verdict());
    assertEquals(AuditGuarantee.ANYTIME, findings.get(0).guarantee());
    for (int i = 0; i < 1000; i++) {
      bandit.learn(modelState, new int[] {2, 0}, 1, new int[] {1}, 1);
      bandit.learn(modelState, new int[] {2, 0}, 1, new int[] {0}, 0);
    }
    // p(M = 1 | undisclosed, arm 1) = .25 * .1 + .75 * .9
    double mean = bandit.choose(modelState, new int[] {2, 0}, 9, DRAW).mean();
    assertEquals(.5, mean, 1e-12, "arm 0, the only certified one, does not depend on S");
    TabularPolicy free = mediated("").cpt("S", "", "[.25, .75]").policy("name: d-ucb").compile();
    assertEquals(.7, free.choose(modelState, new int[] {2, 0}, 9, DRAW).mean(), 1e-12);
  }

  @Test
  void anAttributeThatMayBeUndisclosedNeedsATableWhereMediatorsDependOnIt() {
    String faults = faultsOf(mediated(""));
    assertTrue(faults.contains("distributions.S"), faults);
    assertTrue(faults.contains("may be undisclosed"), faults);
    mediated("").policy("name: ucb").compile(); // asks for no mediators, so for no table
  }

  @Test
  void aDeclaredSetThatLeaksIsRefusedWithTheFeaturesThatLeak() {
    TestSpec spec = mediated().graph("C; S -> M A -> M M -> R A -> R");
    String faults = faultsOf(spec.policy("name: f-ucb, separating-set: [M]"));
    assertTrue(faults.contains("these still bear on it: [S, A]"), faults);
    spec.policy("name: f-ucb, separating-set: [A, M]").compile();
  }

  @Test
  void parentsOfTheRewardAreRefusedWhereTheyDoNotSeparate() {
    String faults =
        faultsOf(mediated().graph("C; S -> M A -> M M -> R S <-> R").policy("name: c-ucb"));
    assertTrue(faults.contains("[S"), faults);
  }

  @Test
  void aMissingTableOfAMediatorIsNamed() {
    TestSpec spec =
        TestSpec.spec()
            .variable("S", "sensitive", 2, ", missing: reject")
            .variable("A", "action", 3)
            .variable("M", "mediator", 2)
            .graph("S -> M A -> M M -> R");
    assertTrue(faultsOf(spec).contains("distributions.M: nothing given"), faultsOf(spec));
  }

  @Test
  void mediatorsWithAHiddenCauseInCommonWithAFeatureAreRefused() {
    String faults = faultsOf(mediated().graph("C; S -> M A -> M M -> R C <-> M"));
    assertTrue(faults.contains("C <-> M"), faults);
  }

  @Test
  void theFingerprintChangesWithWhatTheStatisticsMeanOnly() {
    String base = mediated().compile().fingerprint();
    assertEquals(32, base.length());
    assertEquals(
        base,
        mediated()
            .fairness("tau: 0.1, delta: 0.01, confidence: paper, scale: 0.5")
            .policy("name: d-ucb, index-scale: 2")
            .arms("[{id: a, A: '1'}]")
            .compile()
            .fingerprint());
    assertNotEquals(base, mediated().policy("name: ucb").compile().fingerprint());
    assertNotEquals(
        base,
        mediated().reward("range: [0, 2], bounded: false, scale: 0.3").compile().fingerprint());
    assertNotEquals(
        base,
        mediated()
            .variable("D", "context", 2)
            .graph("C; D; S -> M A -> M M -> R")
            .compile()
            .fingerprint());
    assertNotEquals(
        base,
        mediated()
            .reward("range: [0, 1]")
            .fairness("tau: 0.3, delta: 0.05, confidence: joint")
            .compile()
            .fingerprint());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  private static String digest(ModelState modelState) {
    MessageDigest digest = sha256();
    modelState.digestInto(digest);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static String run(TabularPolicy bandit, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ModelState modelState = new MemoryModelState();
    StringBuilder log = new StringBuilder();
    for (int t = 1; t <= 500; t++) {
      int[] context = {random.nextInt(2), random.nextInt(2)};
      Choice choice = bandit.choose(modelState, context, t, new SeededRandom(7, "s", "d" + t));
      bandit.learn(
          modelState, context, choice.arm(), new int[] {random.nextInt(2)}, random.nextDouble());
      log.append(choice).append(bandit.audit(modelState, context, choice.arm(), t));
    }
    return sha256(log.toString().getBytes(StandardCharsets.UTF_8)) + digest(modelState);
  }

  @Test
  void equalHistoriesMakeEqualDecisionsAndDigestsBitForBit() {
    TabularPolicy bandit = mediated().policy("name: f-ucb, ties: seeded").compile();
    assertEquals(run(bandit, 1), run(bandit, 1));
    assertEquals(run(bandit, 1), run(mediated().policy("name: f-ucb, ties: seeded").compile(), 1));
    assertNotEquals(run(bandit, 1), run(bandit, 2));
  }

  @Test
  void aCertifiedSetThatCannotGrowIsWarnedOf() {
    assertTrue(isLockedIn(withoutMediators("S -> R A -> R")));
    assertFalse(isLockedIn(withoutMediators("S; A -> R")));
    assertFalse(isLockedIn(mediated()));
    for (String policy :
        List.of("d-ucb", "f-ucb, explore: {share: 0.1, over: all}", "f-ucb, explore: balanced")) {
      assertFalse(isLockedIn(withoutMediators("S -> R A -> R").policy("name: " + policy)), policy);
    }
    for (String policy :
        List.of("ucb, constraint: screen", "f-ucb, explore: {share: 0.1, over: fair-set}")) {
      assertTrue(isLockedIn(withoutMediators("S -> R A -> R").policy("name: " + policy)), policy);
    }
  }

  private static boolean isLockedIn(TestSpec spec) {
    return spec.compile().warnings().stream().anyMatch(said -> said.startsWith("lock-in"));
  }

  private static TestSpec withoutMediators(String graph) {
    return TestSpec.spec().variable("S", "sensitive", 2).variable("A", "action", 2).graph(graph);
  }

  @Test
  void theDigestCoversKeysAndCells() {
    ModelState modelState = new MemoryModelState();
    String empty = digest(modelState);
    modelState.put(1, new CellBlock(1));
    String one = digest(modelState);
    ModelState other = new MemoryModelState();
    other.put(2, new CellBlock(1));
    assertNotEquals(empty, one);
    assertNotEquals(one, digest(other));
  }

  @Test
  void certificatesComeWithTheJointRegion() {
    TabularPolicy bandit =
        mediated().reward("range: [0, 1]").fairness("tau: 0.1, delta: 0.05").compile();
    ModelState modelState = new MemoryModelState();
    assertFalse(
        bandit.audit(modelState, new int[] {0, 0}, 1, 1).get(0).verdict()
            == AuditVerdict.CERTIFIED_FAIR);
    for (int i = 0; i < 5000; i++) {
      bandit.learn(modelState, new int[] {0, 0}, 1, new int[] {i % 2}, .5 + .01 * (i % 3));
    }
    AuditFinding finding = bandit.audit(modelState, new int[] {0, 0}, 1, 1).get(0);
    assertEquals(AuditVerdict.CERTIFIED_FAIR, finding.verdict());
    assertEquals(AuditGuarantee.ANYTIME, finding.guarantee());
    assertEquals(AuditInterval.JOINT, finding.effect().interval());
    TabularPolicy box =
        mediated().fairness("tau: 0.1, delta: 0.05, confidence: sub-gaussian").compile();
    assertNull(box.audit(modelState, new int[] {0, 0}, 1, 1).get(0).effect().interval());
  }

  @Test
  void setsOfCellsThatCanBeComparedAreCounted() {
    assertEquals(1, mediated().compile().sets(), "one block of mediators for all arms");
    assertEquals(2 * 3, mediated().policy("name: ucb").compile().sets(), "C and arms");
    assertEquals(
        (1 + 2) * 2 * 2,
        TestSpec.spec()
            .variable("S", "sensitive", 3, ", missing: reject")
            .variable("C", "context", 2)
            .variable("A", "action", 2)
            .graph("S -> R C -> R A -> R")
            .compile()
            .sets(),
        "unordered pairs of three levels");
    assertEquals(
        2 * 2 * 2,
        TestSpec.spec()
            .variable("S", "sensitive", 2, ", missing: reject")
            .variable("C", "context", 2)
            .variable("A", "action", 2)
            .graph("S -> R C -> R A -> R S -> C")
            .compile()
            .sets(),
        "C follows S into any level");
  }

  @Test
  void countedTablesWidenCertificatesByWhatTheyMayBeWrong() {
    double known = widthOfMediatedEffect("rows", "[\"0\", 0.75, 0.25], [\"1\", 0.25, 0.75]");
    double few = widthOfMediatedEffect("counts", "[\"0\", 30, 10], [\"1\", 10, 30]");
    double many =
        widthOfMediatedEffect("counts", "[\"0\", 300000, 100000], [\"1\", 100000, 300000]");
    double e = Math.sqrt(2 * (Math.log(2) + Math.log(2 / (.8 * .05 / 2))) / 40);
    assertTrue(few >= known + 1.9 * e && few <= known + 2 * e + .01, known + " and " + few);
    assertTrue(many > known && many < known + .1, known + " and " + many);
    TestSpec undisclosed =
        TestSpec.spec()
            .variable("S", "sensitive", 2)
            .variable("A", "action", 2)
            .variable("M", "mediator", 2)
            .graph("S -> M A -> M M -> R")
            .counted("S", "", "[5, 5]")
            .cpt("M", "S, A", FOUR_ROWS);
    SpecException refused = assertThrows(SpecException.class, undisclosed::compile);
    assertTrue(refused.getMessage().contains("counts of P(S)"), refused.getMessage());
  }

  private static final String FOUR_ROWS =
      "[\"0\", \"0\", 0.9, 0.1], [\"0\", \"1\", 0.9, 0.1], [\"1\", \"0\", 0.1, 0.9], [\"1\", \"1\","
          + " 0.1, 0.9]";

  /** A version with tables from other people errs by an event that no earlier version paid for. */
  @Test
  void tablesFromOtherCountsHaveAShareOfDeltaOfTheirOwn() {
    TabularPolicy one = counted("[\"0\", 30, 10], [\"1\", 10, 30]");
    TabularPolicy other = counted("[\"0\", 31, 10], [\"1\", 10, 30]");
    MemoryModelState state = new MemoryModelState();
    one.succeed(null, state);
    for (int i = 0; i < 400_000; i++) {
      one.learn(state, new int[] {i % 2}, 0, new int[] {i / 2 % 2}, i / 2 % 2);
    }
    double first = width(one, state, new int[] {0}, 0);
    one.succeed(one, state);
    assertEquals(
        first, width(one, state, new int[] {0}, 0), "the same counts err by the same event");
    other.succeed(one, state);
    one.succeed(other, state);
    double third = width(one, state, new int[] {0}, 0);
    // the share of the third is 1/30, of the first 4/5: 2 e is most of the width
    double growth = Math.sqrt(1 + Math.log(24) / (Math.log(2) + Math.log(2 / (.8 * .05 / 2))));
    assertTrue(third > first * (growth - .1) && third < first * growth, first + " and " + third);
  }

  private static TabularPolicy counted(String rows) {
    return mediatedByCounts().counted("M", "S", rows).compile();
  }

  private static TestSpec mediatedByCounts() {
    return TestSpec.spec()
        .variable("S", "sensitive", 2, ", missing: reject")
        .variable("A", "action", 2)
        .variable("M", "mediator", 2)
        .graph("S -> M M -> R A -> R")
        .policy("name: f-ucb, separating-set: [A, M]");
  }

  private static double widthOfMediatedEffect(String kind, String rows) {
    TestSpec spec = mediatedByCounts();
    TabularPolicy bandit =
        (kind.equals("rows") ? spec.cpt("M", "S", rows) : spec.counted("M", "S", rows)).compile();
    MemoryModelState blocks = new MemoryModelState();
    for (int i = 0; i < 4_000; i++) {
      bandit.learn(blocks, new int[] {i % 2}, 0, new int[] {i / 2 % 2}, i / 2 % 2);
    }
    EffectFinding auditEffect = bandit.audit(blocks, new int[] {0}, 0, 4_001).get(0).effect();
    assertEquals(.5, auditEffect.estimate(), 1e-12);
    return auditEffect.upper() - auditEffect.lower();
  }
}
