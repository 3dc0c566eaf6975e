package io.equipoise.policy.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.constraint.OverlapDeficit;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.features.UndisclosedWorlds;
import io.equipoise.segmentspec.SpecException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogisticPolicyTest extends LogisticPolicyFixture {
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
  void everyPolicyDecidesTheSameFromTheBytesOfItsState(String policy) {
    LogisticPolicy bandit = bandit(policy, "0.3");
    ModelState modelState = played(bandit, 300);
    learn(bandit, modelState, request(bandit, 2, .5, 3), 0, 1);
    ModelState restored = copy(modelState);
    for (int t = 301; t <= 320; t++) {
      Request request = request(bandit, t % 3, t % 7 / 7.0, 3);
      assertEquals(decide(bandit, modelState, request, t), decide(bandit, restored, request, t));
    }
    assertEquals(bytes(modelState), bytes(restored));
    assertEquals(bandit.modelBytes(), bytes(modelState).remaining());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, -1, 2, Double.NaN, Double.POSITIVE_INFINITY, -0.5})
  void aRewardOtherThanNoughtAndOneIsRefusedAndChangesNothing(double reward) {
    LogisticPolicy bandit = bandit("screen", "0.3");
    ModelState modelState = played(bandit, 50);
    ByteBuffer before = bytes(modelState);
    Request request = request(bandit, 0, .5, 3);
    UnusableRequestException refused =
        assertThrows(
            UnusableRequestException.class, () -> learn(bandit, modelState, request, 0, reward));
    assertTrue(refused.getMessage().contains("of 0 and 1 only"), refused.getMessage());
    assertEquals(before, bytes(modelState));
  }

  @ParameterizedTest
  @CsvSource({
    "ofulog, 2",
    "'cclb, index: 3', 3",
    "'screen, radius: {scale: 0.5}, index: 3', 3",
    "'ofulog, index: paper', 0",
    "'ofulog, radius: {scale: 0.5}', 0",
    "glm-ucb, 0"
  })
  void anIndexForUseReachesDeviationsOfTheLogOddsAboveThem(String policy, double width) {
    LogisticPolicy bandit = bandit(policy, "0.3");
    ModelState modelState = played(bandit, 200);
    Request request = request(bandit, 0, .5, 3);
    ParameterEstimate estimate =
        ((StreamingModel) Objects.requireNonNull(modelState.get(0))).estimate();
    Choice choice = bandit.decide(modelState, request, 1, draw(0), ClippedIndex.NONE).choice();
    LogisticCompilation compilation = new LogisticCompilation(bandit.spec());
    RequestEncoder encoder =
        new RequestEncoder(
            compilation.encoder,
            compilation.attributes,
            UndisclosedWorlds.ofNonlinear(bandit.spec(), LogisticSpec.of(bandit.spec()).features()),
            bandit.spec());
    double[] x = encoder.encode(request).candidates().get(choice.arm()).x();
    double most = Logistic.mean(estimate.optimistic(x, width));
    double index = choice.mean() + choice.width();
    assertEquals(width > 0, Math.abs(most - index) < 1e-12, most + " or " + index);
  }

  @Test
  void featuresThatAreNotFiniteAreRefusedAndChangeNothing() {
    LogisticPolicy bandit =
        bandit(
            "forced-exploration, features: [{number: {of: X, scale: 1e-12}}, {one-hot: S},"
                + " {product: [{number: X}, {one-hot: S}]}]",
            "0.3");
    ModelState modelState = new MemoryModelState();
    Request request =
        new Request(
            new Profile(new int[] {0, 0}, new double[] {1e300}),
            List.of(new Candidate("A=left", 0, Profile.of(0))),
            false,
            1);
    UnusableRequestException refused =
        assertThrows(UnusableRequestException.class, () -> decide(bandit, modelState, request, 1));
    assertEquals("arm A=left: a feature is not finite", refused.getMessage());
    assertThrows(UnusableRequestException.class, () -> learn(bandit, modelState, request, 0, 1));
    assertFalse(modelState.entries().iterator().hasNext());
  }

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
  void aZeroVectorIsDecidedWithAndLearnedFrom(String policy) {
    LogisticPolicy bandit =
        bandit(policy + ", features: [{number: {of: X}}, {level: {of: S, is: b}}]", "0.3");
    ModelState modelState = new MemoryModelState();
    for (int t = 1; t <= 30; t++) {
      Request request = request(bandit, 0, t % 3 == 0 ? 0.5 : 0, 3);
      Choice choice = decide(bandit, modelState, request, t).choice();
      assertTrue(Double.isFinite(choice.index()) && Double.isFinite(choice.mean()), policy);
      assertTrue(t % 3 == 0 || choice.mean() == .5, "round " + t);
      learn(bandit, modelState, request, choice.arm(), t % 2);
    }
    ByteBuffer bytes = bytes(modelState).position(8 + 21);
    for (int i = 0; i < bandit.dimension() * (2 * bandit.dimension() + 1); i++) {
      assertTrue(Double.isFinite(bytes.getDouble()), "double " + i + " of the model");
    }
  }

  @Test
  void findingsAreDirectApproximateAndOfTheAuditsRadiusNotThePolicys() {
    LogisticPolicy tuned = bandit("screen, radius: {kind: lee24, scale: 0.001, delta: 0.9}", "0.3");
    LogisticPolicy plain = bandit("screen", "0.3");
    ModelState modelState = played(plain, 400);
    Request one = request(plain, 0, .5, 1);
    List<AuditFinding> findings = decide(plain, modelState, one, 401).findings();
    assertEquals(1, findings.size());
    assertEquals(AuditEffectKind.DIRECT, findings.get(0).effect().kind());
    assertEquals(AuditGuarantee.APPROXIMATE, findings.get(0).guarantee());
    assertEquals(findings, decide(tuned, modelState, one, 402).findings());
  }

  @Test
  void whoDoesNotTellIsComparedInAllPairsOfWhatTheyMightBe() {
    LogisticPolicy bandit = bandit("screen", "0.3");
    ModelState modelState = played(bandit, 400);
    Request told = request(bandit, 0, .5, 1);
    Request untold = request(bandit, 2, .5, 1);
    List<AuditFinding> ofTold = decide(bandit, modelState, told, 401).findings();
    List<AuditFinding> ofUntold = decide(bandit, modelState, untold, 402).findings();
    assertEquals(2, ofUntold.size());
    EffectFinding wanted = ofTold.get(0).effect();
    EffectFinding found = ofUntold.get(0).effect();
    assertEquals(wanted.lower(), found.lower(), 1e-12, "(a, b) needs no word of the person");
    assertEquals(wanted.upper(), found.upper(), 1e-12);
    assertEquals(wanted.estimate(), found.estimate(), 1e-12);
    assertEquals(wanted.leverage(), found.leverage(), 1e-12);
    assertEquals(wanted.unsupportedShare(), found.unsupportedShare(), 1e-12);
    assertEquals(ofTold.get(0).verdict(), ofUntold.get(0).verdict());
    assertEquals(-ofUntold.get(0).effect().estimate(), ofUntold.get(1).effect().estimate(), 1e-15);
  }

  @Test
  void dualVariablesMoveAtTheDecisionAreAuditedAndStartAnewWithOtherLimits() {
    String policy = "dual-upper, dual: {cap: 5, schedule: anytime}";
    LogisticPolicy bandit = bandit(policy, "0.1");
    ModelState modelState = played(bandit, 20);
    double phi = memory(modelState).duals().phi(0);
    assertTrue(phi > 0, "phi " + phi);
    AuditedChoice audited = decide(bandit, modelState, request(bandit, 0, .5, 3), 21);
    assertEquals(List.of(phi), audited.duals());

    assertEquals(bandit.fingerprint(), bandit(policy, "0.2").fingerprint());
    assertEquals(List.of(), bandit(policy, "0.1").succeed(bandit, modelState));
    assertTrue(memory(modelState).duals().phi(0) > 0);
    for (String other : List.of(policy + ", epsilon: 0.05", "screen", policy)) {
      ModelState copy = played(bandit, 20);
      String tau = other.equals(policy) ? "0.2" : "0.1";
      assertEquals(List.of("policy-state"), bandit(other, tau).succeed(bandit, copy), other);
      assertNotNull(copy.get(0), "the model stays");
      assertEquals(0, memory(copy).duals().phi(0));
      assertEquals(20, memory(copy).duals().decisions());
    }
    assertEquals(List.of("policy-state"), bandit(policy, "0.1").succeed(null, modelState));
    assertEquals(0, memory(modelState).duals().phi(0));
    assertEquals(21, memory(modelState).duals().decisions());
  }

  @Test
  void theNeedOfCxStartsAnewUnderAnotherThresholdAndItsExplorationsStayCounted() {
    LogisticPolicy bandit = bandit("forced-exploration, slack: 0.05", "0.1");
    ModelState modelState = played(bandit, 200);
    OverlapDeficit before = Objects.requireNonNull(memory(modelState).need()).copy();
    assertTrue(before.explored() > 0);
    assertEquals(
        List.of(), bandit("forced-exploration, slack: 0.3", "0.1").succeed(bandit, modelState));
    assertEquals(before, memory(modelState).need());
    assertEquals(
        List.of("policy-state"), bandit("forced-exploration", "0.2").succeed(bandit, modelState));
    OverlapDeficit after = Objects.requireNonNull(memory(modelState).need());
    assertEquals(before.explored(), after.explored());
    assertEquals(0, after.playGain());
    ModelState fresh = played(bandit("screen", "0.1"), 200);
    bandit("forced-exploration", "0.2").succeed(null, fresh);
    assertEquals(0, Objects.requireNonNull(memory(fresh).need()).explored());
  }

  @Test
  void theDesignOfGlmUcbOutlivesItsLimitsButNotThePolicy() {
    LogisticPolicy bandit = bandit("glm-ucb", "0.1");
    ModelState modelState = played(bandit, 20);
    DesignBlock before = Objects.requireNonNull(memory(modelState).design()).copy();
    assertEquals(List.of(), bandit("glm-ucb", "0.2").succeed(bandit, modelState));
    assertEquals(before, memory(modelState).design());
    assertEquals(
        List.of(), bandit("glm-ucb", "0.2").succeed(null, modelState), "it says itself whose");
    assertEquals(before, memory(modelState).design());
    assertEquals(List.of("policy-state"), bandit("ofulog", "0.2").succeed(bandit, modelState));
    assertEquals(null, memory(modelState).design());
    assertEquals(20, memory(modelState).duals().decisions());
    assertEquals(List.of(), bandit("glm-ucb", "0.2").succeed(null, modelState), "nothing to drop");
    assertEquals(new DesignBlock(bandit.dimension()), memory(modelState).design());
  }

  @Test
  void seededTiesAreDrawnWithExactPropensities() {
    LogisticPolicy bandit = bandit("ofulog, ties: seeded", "0.3");
    Request request = request(bandit, 0, .5, 3);
    int[] chosen = new int[3];
    for (int t = 1; t <= 3000; t++) {
      Choice choice = decide(bandit, new MemoryModelState(), request, t).choice();
      assertEquals(PropensityKind.EXACT, choice.propensityKind());
      for (double propensity : choice.propensities()) {
        assertEquals(1 / 3.0, propensity);
      }
      chosen[choice.arm()]++;
    }
    for (int count : chosen) {
      assertEquals(1000, count, 150);
    }
  }

  @Test
  void withoutAnythingOfOneGroupNothingIsCalledFairAndNothingUncertain() {
    LogisticPolicy bandit = bandit("ofulog", "0.05");
    ModelState modelState = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 1; t <= 2000; t++) {
      Request request = request(bandit, 0, 2 * random.nextDouble() - 1, 3);
      AuditedChoice audited = decide(bandit, modelState, request, t);
      assertEquals(AuditVerdict.NO_OVERLAP, audited.findings().get(0).verdict(), "round " + t);
      assertFalse(audited.choice().certified());
      learn(bandit, modelState, request, audited.choice().arm(), random.nextInt(2));
    }
  }

  @Test
  void whatCannotBeComputedWithIsRefusedBeforeItRuns() {
    SpecException wide =
        assertThrows(SpecException.class, () -> bandit("dual-upper, epsilon: 0.4", "0.3"));
    assertTrue(wide.getMessage().contains("less than tau, which for S is 0.3"), wide.getMessage());
    SpecException large = assertThrows(SpecException.class, () -> bandit("screen", "1.5"));
    assertTrue(large.getMessage().contains("fairness.tau"), large.getMessage());
  }

  /**
   * People of S = b click with .12 on every arm. Those of S = a click with .04 on "left", an odds
   * ratio of 3.3 and an effect of .08, and as often as the others on "right".
   */
  @ParameterizedTest
  @ValueSource(strings = {"contrast", "ellipsoid", "pairs"})
  void anOddsRatioDecidesWhereADifferenceOfRatesDoesNot(String interval) {
    String features =
        "ofulog, features: [intercept, one-hot: S, one-hot: A, product: [{one-hot: S}, {one-hot: A}]]";
    String certificates = ", certificates: {interval: " + interval + "}";
    LogisticPolicy ratios = limited(features, "odds-ratio: 1.25" + certificates);
    LogisticPolicy rates = limited(features, "tau: 0.2" + certificates);
    ModelState ofRatios = new MemoryModelState();
    ModelState ofRates = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 1; t <= 12_000; t++) {
      int s = t % 2;
      int arm = t / 2 % 3;
      double reward = random.nextDouble() < (s == 0 && arm == 0 ? .04 : .12) ? 1 : 0;
      learn(ratios, ofRatios, request(ratios, s, 0, 3), arm, reward);
      learn(rates, ofRates, request(rates, s, 0, 3), arm, reward);
    }
    AuditFinding left = finding(ratios, ofRatios, 0);
    double truth = Math.log(.12 / .88) - Math.log(.04 / .96);
    assertTrue(left.effect().lower() <= truth && truth <= left.effect().upper(), left.toString());
    assertEquals(Math.log(1.25), left.tau(), 1e-12);
    assertEquals(truth, left.effect().estimate(), .4);
    assertEquals(
        interval.equals("ellipsoid") ? AuditVerdict.UNCERTAIN : AuditVerdict.UNFAIR,
        left.verdict(),
        left.toString());
    AuditFinding right = finding(ratios, ofRatios, 2);
    assertTrue(right.effect().lower() <= 0 && 0 <= right.effect().upper(), right.toString());
    assertTrue(right.effect().worst() < Math.log(4), right.toString());
    AuditFinding difference = finding(rates, ofRates, 0);
    assertEquals(AuditVerdict.CERTIFIED_FAIR, difference.verdict(), difference.toString());

    assertEquals(rates.fingerprint(), ratios.fingerprint());
    ratios.succeed(rates, ofRates);
    AuditFinding after = finding(ratios, ofRates, 0);
    assertTrue(
        after.effect().lower() <= truth && truth <= after.effect().upper(), after.toString());
    assertEquals(left.verdict(), after.verdict(), after.toString());
  }

  /** Returns the only finding of a person of S = a who is offered one arm. */
  private static AuditFinding finding(LogisticPolicy bandit, ModelState modelState, int arm) {
    Candidate only = request(bandit, 0, 0, 3).candidates().get(arm);
    Request request = new Request(request(bandit, 0, 0, 3).person(), List.of(only), false, 1);
    return decide(bandit, modelState, request, 20_000).findings().get(0);
  }
}
