package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.WarmStartModels.OfflineEstimates;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Policies that take offline evidence for rewards before their first decision. */
class WarmStartTest {
  private static final String FEATURES =
      ", alpha: 0, features: [intercept, level: {of: X, is: high}]";
  private static final String MANY_FEATURES =
      FEATURES.replace("intercept", "intercept, ".repeat(11) + "intercept");
  private static final String EVIDENCE =
      ", warm-start: [{arm: A=left, context: {X: low}, n: 30, mean: 0.2},"
          + " {arm: A=left, context: {X: high}, n: 10, mean: 0.6},"
          + " {arm: A=right, context: {X: low}, n: 5, mean: 0.5},"
          + " {arm: A=right, context: {X: high}, n: 15, mean: 0.1}]";
  private static final SeededRandom DRAW = new SeededRandom(1, "s", "d1");
  private static final int LOW = 0;
  private static final int HIGH = 1;

  private final MemoryModelState blocks = new MemoryModelState();

  private static Policy bandit(String policy) {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    String text = TestSpecs.text(policy, 1, join, "{range: [0, 1]}", "reject");
    return TestSpecs.compiled(text).policy();
  }

  private static List<Candidate> offers(int left, int right) {
    return List.of(
        new Candidate("A=left", left, Profile.of(0)),
        new Candidate("A=right", right, Profile.of(1)));
  }

  private AuditedChoice decide(Policy bandit, int x, List<Candidate> offers, boolean isSpecArms) {
    int known = (int) offers.stream().filter(candidate -> candidate.position() >= 0).count();
    Request request = new Request(Profile.of(0, x), offers, isSpecArms, known);
    return bandit.decide(blocks, request, 1, DRAW, ClippedIndex.NONE);
  }

  private double mean(Policy bandit, int x, String expected) {
    AuditedChoice choice = decide(bandit, x, offers(-1, -1), true);
    assertEquals(expected, choice.choice().arm() == 0 ? "left" : "right");
    return choice.choice().mean();
  }

  @Test
  void everyLoggedRowCountsAsAnObservationOfItsEstimate() {
    RidgeModel model = RidgeModel.of(2, 1);
    RidgeRegression one = model.newArm();
    RidgeWorkspace workspace = new RidgeWorkspace(2);
    for (int row = 0; row < 40; row++) {
      boolean isLow = row < 30;
      FeatureVector x = FeatureVector.of(1, isLow ? 0 : 1);
      assertEquals(InputCheck.ADMITTED, model.learn(one, x, isLow ? .2 : .6, 1, workspace));
    }
    assertEquals(
        one.mean(FeatureVector.of(1, 1)),
        mean(bandit("linucb-cp" + FEATURES + EVIDENCE), HIGH, "left"),
        1e-12);
    Policy bandit = bandit("linucb-cp" + FEATURES + EVIDENCE);
    bandit.learn(
        blocks, new Experience(new int[] {0, LOW}, new double[] {0}, 0, 0, new int[0], .75), 1);
    model.learn(one, FeatureVector.of(1, 0), .75, 1, workspace);
    RidgeRegression stored = (RidgeRegression) blocks.entries().iterator().next().getValue();
    assertEquals(41, stored.n());
    assertEquals(one.theta(0), stored.theta(0), 1e-12);
    assertEquals(one.theta(1), stored.theta(1), 1e-12);
    assertEquals(one.logDeterminant(), stored.logDeterminant(), 1e-12);
  }

  @Test
  void estimatesAreThoseOfThePaper() {
    WarmStart start = start(List.of());
    List<SpecFault> none = new ArrayList<>();
    assertEquals(
        List.of(.2, .6, .5, .1),
        list(OfflineEstimates.of(LinearPolicyName.LINUCB_CP, start, none)));
    double left = (30 * .2 + 10 * .6) / 40;
    double right = (5 * .5 + 15 * .1) / 20;
    double[] biased = OfflineEstimates.of(LinearPolicyName.LINUCB_BIASED, start, none);
    assertEquals(left, biased[0], 1e-15);
    assertEquals(left, biased[1], 1e-15);
    assertEquals(right, biased[3], 1e-15);
    double[] adjusted =
        OfflineEstimates.of(LinearPolicyName.LINUCB_BIASED, start(List.of("X")), none);
    assertEquals(35 / 60.0 * .2 + 25 / 60.0 * .6, adjusted[0], 1e-15, "equation 2");
    assertEquals(35 / 60.0 * .5 + 25 / 60.0 * .1, adjusted[2], 1e-15);
    assertEquals(List.of(), none);
  }

  private static WarmStart start(List<String> adjustFor) {
    return new WarmStart(
        List.of(
            new WarmStartRow("A=left", Map.of("X", "low"), 30, .2),
            new WarmStartRow("A=left", Map.of("X", "high"), 10, .6),
            new WarmStartRow("A=right", Map.of("X", "low"), 5, .5),
            new WarmStartRow("A=right", Map.of("X", "high"), 15, .1)),
        adjustFor);
  }

  private static List<Double> list(double[] values) {
    List<Double> list = new ArrayList<>();
    for (double value : values) {
      list.add(value);
    }
    return list;
  }

  @Test
  void anArmKeepsItsEvidenceWhateverItsPlaceInTheDictionary() {
    Policy bandit = bandit("linucb-cp" + FEATURES + EVIDENCE);
    assertEquals(1, decide(bandit, LOW, offers(-1, -1), true).choice().arm());
    assertEquals(0, decide(bandit, HIGH, offers(-1, -1), true).choice().arm());
    double mean = decide(bandit, LOW, offers(-1, -1), true).choice().mean();
    for (List<Candidate> offers :
        List.of(offers(1, 0), offers(0, 1), offers(-1, 0), offers(0, -1))) {
      assertEquals(mean, decide(bandit, LOW, offers, true).choice().mean());
    }
    List<Candidate> own =
        List.of(
            new Candidate("new", -1, Profile.of(1)),
            new Candidate("A=right", -1, Profile.of(1)),
            new Candidate("A=left", -1, Profile.of(0)));
    AuditedChoice ofOwn = decide(bandit, LOW, own, false);
    assertEquals(1, ofOwn.choice().arm(), "an arm of the request's own starts with nothing");
    assertEquals(mean, ofOwn.choice().mean());
  }

  @Test
  void oneThetaForAllArmsLearnsAllEvidence() {
    Policy bandit =
        bandit(
            "linucb-biased, model: shared, alpha: 0, ridge: 0.01,"
                + " features: [level: {of: A, is: left}, level: {of: A, is: right}]"
                + EVIDENCE);
    assertEquals((30 * .2 + 10 * .6) / 40.01, mean(bandit, LOW, "left"), 1e-12);
  }

  @Test
  void otherEvidenceIsAnotherModelAndAnotherAlphaIsNot() {
    String fingerprint = bandit("linucb-cp" + FEATURES + EVIDENCE).fingerprint();
    assertEquals(
        fingerprint,
        bandit("linucb-cp" + FEATURES.replace("alpha: 0", "alpha: 2") + EVIDENCE).fingerprint());
    for (String other :
        List.of(
            "linucb-cp" + FEATURES + EVIDENCE.replace("n: 30", "n: 31"),
            "linucb-cp" + FEATURES + EVIDENCE.replace("mean: 0.1", "mean: 0.11"),
            "linucb-cp"
                + FEATURES
                + EVIDENCE.replace("{arm: A=left, context: {X: high}, n: 10, mean: 0.6},", ""),
            "linucb-biased" + FEATURES + EVIDENCE,
            "linucb-biased, adjust-for: [X]" + FEATURES + EVIDENCE,
            "linucb" + FEATURES)) {
      assertNotEquals(fingerprint, bandit(other).fingerprint(), other);
    }
  }

  @Test
  void nothingIsGuaranteedOnEvidence() {
    List<AuditFinding> warm =
        decide(bandit("linucb-cp" + FEATURES + EVIDENCE), LOW, offers(-1, -1), true).findings();
    assertTrue(!warm.isEmpty());
    warm.forEach(found -> assertEquals(AuditGuarantee.PER_ROUND, found.guarantee()));
    decide(bandit("linucb" + FEATURES), LOW, offers(-1, -1), true)
        .findings()
        .forEach(found -> assertEquals(AuditGuarantee.ANYTIME, found.guarantee()));
  }

  @Test
  void evidenceThatCannotBeUsedIsRefusedByItsPlace() {
    assertEquals(
        "policy.warm-start[2].arm: A=up given; an arm of the spec",
        fault("linucb-cp" + FEATURES + EVIDENCE.replaceFirst("A=right", "A=up")));
    assertEquals(
        "policy.adjust-for: no evidence of arm A=left at [X=high] given; variables at all of whose"
            + " levels every arm was tried, or none",
        fault(
            "linucb-biased, adjust-for: [X]"
                + FEATURES
                + ", warm-start: [{arm: A=left, context: {X: low}, n: 1, mean: 0},"
                + " {arm: A=right, context: {X: high}, n: 1, mean: 0}]"));
    assertEquals(
        "policy.warm-start[0].n: 1000000000 given; fewer rows: " + InputCheck.SATURATED.meaning(),
        fault(
            "linucb-cp, ridge: 0.01" + MANY_FEATURES + EVIDENCE.replace("n: 30", "n: 1000000000")));
  }

  @Test
  void allFaultsOfEvidenceAreToldBesideThoseOfThePolicyButNoneThatAnUnknownArmMayMake() {
    String rows =
        ", warm-start: [{arm: A=left, context: {X: low}, n: 1000000000, mean: 0},"
            + " {arm: A=right, context: {X: high}, n: 1, mean: 0}]";
    String policy = "linucb-biased, ridge: 0.01, adjust-for: [X]" + MANY_FEATURES + rows;
    assertEquals(
        List.of("policy.adjust-for", "policy.adjust-for", "policy.warm-start[0].n"),
        places(policy));
    assertEquals(
        List.of("policy.warm-start[1].arm", "policy.warm-start[0].n"),
        places(policy.replace("A=right", "A=up")));
  }

  private static List<String> places(String policy) {
    SpecException thrown = assertThrows(SpecException.class, () -> bandit(policy));
    return thrown.faults().stream().map(SpecFault::place).toList();
  }

  private static String fault(String policy) {
    SpecException thrown = assertThrows(SpecException.class, () -> bandit(policy));
    return thrown.faults().get(0).toString();
  }
}
