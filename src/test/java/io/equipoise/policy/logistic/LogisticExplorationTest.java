package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions of logistic policies of which a share is drawn. */
class LogisticExplorationTest extends LogisticPolicyFixture {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "glm-ucb",
        "ofulog",
        "cclb",
        "eps-cclb",
        "screen",
        "dual-upper",
        "forced-exploration"
      })
  void exploringOverAllDrawsEveryArmWithItsPropensityAndSaysSo(String policy) {
    LogisticPolicy bandit = bandit(policy + ", explore: {share: 0.3, over: all}", "0.3");
    ModelState modelState = played(bandit, 200);
    Request request = request(bandit, 0, .5, 3);
    LogisticPolicy plain = bandit(policy, "0.3");
    int ruled =
        plain.decide(copy(modelState), request, 1, draw(0), ClippedIndex.NONE).choice().arm();
    int[] chosen = new int[3];
    int explored = 0;
    for (int t = 1; t <= 1000; t++) {
      AuditedChoice audited =
          bandit.decide(copy(modelState), request, 1, draw(t), ClippedIndex.NONE);
      Choice choice = audited.choice();
      assertEquals(PropensityKind.EXACT, choice.propensityKind());
      for (int arm = 0; arm < 3; arm++) {
        assertEquals(arm == ruled ? .8 : .1, choice.propensities()[arm], 1e-15);
      }
      if (choice.arm() != ruled) {
        assertEquals(DecisionReason.EXPLORE, choice.reason());
      }
      assertEquals(choice.arm() != ruled, choice.explored());
      chosen[choice.arm()]++;
      explored += choice.explored() ? 1 : 0;
    }
    assertEquals(800, chosen[ruled], 60);
    assertEquals(200, explored, 60);
    assertTrue(chosen[(ruled + 1) % 3] > 60 && chosen[(ruled + 2) % 3] > 60, policy);
    assertEquals(List.of(), bandit.warnings());
  }

  @Test
  void exploringOverTheFairSetNeverLeavesWhatTheAuditCertifies() {
    LogisticPolicy bandit = bandit("ofulog, explore: {share: 0.5}", "0.3");
    ModelState modelState = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 3000; i++) {
      Request request = request(bandit, i % 2, 2 * random.nextDouble() - 1, 3);
      double paid = i % 3 == 0 ? .2 + .5 * (i % 2) : .5;
      learn(bandit, modelState, request, i % 3, random.nextDouble() < paid ? 1 : 0);
    }
    int drawn = 0;
    int withoutAny = 0;
    for (int t = 1; t <= 300; t++) {
      Request request = request(bandit, random.nextInt(2), 2 * random.nextDouble() - 1, 3);
      AuditedChoice audited =
          bandit.decide(copy(modelState), request, 1, draw(t), ClippedIndex.NONE);
      Choice choice = audited.choice();
      assertTrue(!choice.explored() || choice.certified(), "round " + t);
      double sum = 0;
      int some = 0;
      for (double propensity : choice.propensities()) {
        sum += propensity;
        some += propensity > 0 && propensity < 1 ? 1 : 0;
      }
      assertEquals(1, sum, 1e-15);
      drawn += choice.explored() ? 1 : 0;
      withoutAny += some == 0 ? 1 : 0;
    }
    assertTrue(drawn > 20, "drawn " + drawn);
    ModelState none = new MemoryModelState();
    Choice first =
        bandit("ofulog, explore: {share: 0.5}", "0.05")
            .decide(none, request(bandit, 0, .5, 3), 1, draw(1), ClippedIndex.NONE)
            .choice();
    assertEquals(1, first.propensities()[first.arm()], "nothing is certified before any reward");
    assertTrue(withoutAny < 300, "without any certified arm " + withoutAny);
  }

  @Test
  void dualVariablesMoveByTheArmThatWasExplored() {
    LogisticPolicy plain = bandit("dual-upper", "0.1");
    LogisticPolicy exploring = bandit("dual-upper, explore: {share: 0.999, over: all}", "0.1");
    ModelState modelState = played(plain, 600);
    Request request = request(plain, 0, .5, 3);
    double before = memory(modelState).duals().phi(0);
    for (int t = 1; t <= 20; t++) {
      ModelState after = copy(modelState);
      Choice choice = exploring.decide(after, request, 1, draw(t), ClippedIndex.NONE).choice();
      Request only = request(plain, 0, .5, 3);
      ModelState alone = copy(modelState);
      Candidate candidate = only.candidates().get(choice.arm());
      Request forced = new Request(only.person(), List.of(candidate), false, 3);
      plain.decide(alone, forced, 1, draw(t), ClippedIndex.NONE);
      assertEquals(memory(alone).duals().phi(0), memory(after).duals().phi(0), "from " + before);
    }
  }
}
