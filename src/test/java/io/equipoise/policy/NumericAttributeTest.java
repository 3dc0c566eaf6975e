package io.equipoise.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditVerdict;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A sensitive attribute that is a number: its other worlds are the other bins. */
class NumericAttributeTest {
  private static final int CUT = 40;

  /** Only the young are paid, so no arm is fair. */
  @ParameterizedTest
  @ValueSource(
      strings = {"linucb", "linucb, constraint: hard", "ofulog", "screen", "oam, horizon: 9"})
  void theEffectOfItsBinsIsChecked(String policy) {
    Policy bandit = bandit(policy);
    ModelState modelState = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(3);
    List<AuditFinding> findings = List.of();
    for (int t = 1; t <= 1500; t++) {
      double age = 100 * random.nextDouble();
      Profile person = new Profile(new int[] {age < CUT ? 0 : 1}, new double[] {age});
      List<Candidate> offers =
          List.of(
              new Candidate("A=left", 0, Profile.of(0)),
              new Candidate("A=right", 1, Profile.of(1)));
      Request request = new Request(person, offers, true, 2);
      AuditedChoice decided =
          bandit.decide(
              modelState, request, t, new SeededRandom(1, "s", "d" + t), ClippedIndex.NONE);
      findings = decided.findings();
      int arm = decided.choice().arm();
      double[] inputs = bandit.inputs(request, arm);
      double reward = age < CUT ? 1 : 0;
      bandit.learn(
          modelState, new Experience(person.levels(), inputs, arm, arm, new int[0], reward), t);
      assertTrue(findings.get(0).verdict() != AuditVerdict.CERTIFIED_FAIR, "round " + t);
    }
    assertEquals(1, findings.size());
    assertEquals(AuditVerdict.UNFAIR, findings.get(0).verdict());
    assertTrue(Math.abs(findings.get(0).effect().estimate()) > .8);
  }

  @Test
  void itsNumberIsNoFeature() {
    for (String terms :
        List.of("number: age", "{number: {of: age}}", "{product: [{one-hot: A}, {number: age}]}")) {
      String policy = "linucb, features: [intercept, " + terms + "]";
      SpecException refused = assertThrows(SpecException.class, () -> bandit(policy));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("the number of the sensitive variable age given"), message);
      assertTrue(message.contains("{one-hot: age}, the bins of its cuts"), message);
    }
  }

  private static Policy bandit(String policy) {
    return TestSpecs.compiled(
            """
            name: numeric
            version: 1
            segments: default
            variables:
              age: {role: sensitive, range: [0, 100], cuts: [%d], missing: reject}
              A: {role: action, levels: [left, right]}
              R: {role: reward}
            graph: "dag { age -> A; {age A} -> R }"
            arms: all
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {tau: 0.2}
            join: {reward-window: 60s, fallback: "A=left"}
            """
                .formatted(CUT, policy))
        .policy();
  }
}
