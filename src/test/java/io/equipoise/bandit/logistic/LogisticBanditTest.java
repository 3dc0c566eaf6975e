package io.equipoise.bandit.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.constraint.NeedBlock;
import io.equipoise.bandit.features.Profile;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectKind;
import io.equipoise.fairness.Guarantee;
import io.equipoise.fairness.Verdict;
import io.equipoise.spec.SpecException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogisticBanditTest extends LogisticBanditFixture {
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
    LogisticBandit bandit = bandit(policy, "0.3");
    Blocks blocks = played(bandit, 300);
    learn(bandit, blocks, request(bandit, 2, .5, 3), 0, 1);
    Blocks restored = copy(blocks);
    for (int t = 301; t <= 320; t++) {
      Request request = request(bandit, t % 3, t % 7 / 7.0, 3);
      assertEquals(decide(bandit, blocks, request, t), decide(bandit, restored, request, t));
    }
    assertEquals(bytes(blocks), bytes(restored));
    assertEquals(bandit.modelBytes(), bytes(blocks).remaining());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.25, -1, 2, Double.NaN, Double.POSITIVE_INFINITY, -0.5})
  void aRewardOtherThanNoughtAndOneIsRefusedAndChangesNothing(double reward) {
    LogisticBandit bandit = bandit("screen", "0.3");
    Blocks blocks = played(bandit, 50);
    ByteBuffer before = bytes(blocks);
    Request request = request(bandit, 0, .5, 3);
    UnusableRequestException refused =
        assertThrows(
            UnusableRequestException.class, () -> learn(bandit, blocks, request, 0, reward));
    assertTrue(refused.getMessage().contains("of 0 and 1 only"), refused.getMessage());
    assertEquals(before, bytes(blocks));
  }

  @Test
  void featuresThatAreNotFiniteAreRefusedAndChangeNothing() {
    LogisticBandit bandit =
        bandit(
            "forced-exploration, features: [{number: {of: X, scale: 1e-308}}, {product: [{number:"
                + " X}, {one-hot: S}]}]",
            "0.3");
    Blocks blocks = new MemoryBlocks();
    Request request =
        new Request(
            new Profile(new int[] {0, 0}, new double[] {1e10}),
            List.of(new Offer("A=left", 0, Profile.of(0))),
            false,
            1);
    UnusableRequestException refused =
        assertThrows(UnusableRequestException.class, () -> decide(bandit, blocks, request, 1));
    assertEquals("arm A=left: a feature is not finite", refused.getMessage());
    assertThrows(UnusableRequestException.class, () -> learn(bandit, blocks, request, 0, 1));
    assertFalse(blocks.entries().iterator().hasNext());
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
    LogisticBandit bandit =
        bandit(
            policy
                + ", features: [{number: {of: X}}, {product: [{number: {of: X}}, {one-hot: S}]}]",
            "0.3");
    Blocks blocks = new MemoryBlocks();
    for (int t = 1; t <= 30; t++) {
      Request request = request(bandit, t % 2, t % 3 == 0 ? 0.5 : 0, 3);
      Choice choice = decide(bandit, blocks, request, t).choice();
      assertTrue(Double.isFinite(choice.index()) && Double.isFinite(choice.mean()), policy);
      assertTrue(t % 3 == 0 || choice.mean() == .5, "round " + t);
      learn(bandit, blocks, request, choice.arm(), t % 2);
    }
    ByteBuffer bytes = bytes(blocks).position(8 + 21);
    for (int i = 0; i < bandit.dimension() * (2 * bandit.dimension() + 1); i++) {
      assertTrue(Double.isFinite(bytes.getDouble()), "double " + i + " of the model");
    }
  }

  @Test
  void findingsAreDirectApproximateAndOfTheAuditsRadiusNotThePolicys() {
    LogisticBandit tuned = bandit("screen, radius: {kind: lee24, scale: 0.001, delta: 0.9}", "0.3");
    LogisticBandit plain = bandit("screen", "0.3");
    Blocks blocks = played(plain, 400);
    Request one = request(plain, 0, .5, 1);
    List<AuditFinding> findings = decide(plain, blocks, one, 401).findings();
    assertEquals(1, findings.size());
    assertEquals(EffectKind.DIRECT, findings.get(0).effect().kind());
    assertEquals(Guarantee.APPROXIMATE, findings.get(0).guarantee());
    assertEquals(findings, decide(tuned, blocks, one, 402).findings());
  }

  @Test
  void whoDoesNotTellIsComparedInAllPairsOfWhatTheyMightBe() {
    LogisticBandit bandit = bandit("screen", "0.3");
    Blocks blocks = played(bandit, 400);
    Request told = request(bandit, 0, .5, 1);
    Request untold = request(bandit, 2, .5, 1);
    List<AuditFinding> ofTold = decide(bandit, blocks, told, 401).findings();
    List<AuditFinding> ofUntold = decide(bandit, blocks, untold, 402).findings();
    assertEquals(2, ofUntold.size());
    assertEquals(ofTold.get(0), ofUntold.get(0), "the pair (a, b) needs no word of the person");
    assertEquals(-ofUntold.get(0).effect().estimate(), ofUntold.get(1).effect().estimate(), 1e-15);
  }

  @Test
  void dualVariablesMoveAtTheDecisionAreAuditedAndStartAnewWithOtherLimits() {
    String policy = "dual-upper, dual: {cap: 5, schedule: anytime}";
    LogisticBandit bandit = bandit(policy, "0.1");
    Blocks blocks = played(bandit, 20);
    double phi = memory(blocks).duals().phi(0);
    assertTrue(phi > 0, "phi " + phi);
    AuditedChoice audited = decide(bandit, blocks, request(bandit, 0, .5, 3), 21);
    assertEquals(List.of(phi), audited.duals());

    assertEquals(bandit.fingerprint(), bandit(policy, "0.2").fingerprint());
    assertEquals(List.of(), bandit(policy, "0.1").succeed(bandit, blocks));
    assertTrue(memory(blocks).duals().phi(0) > 0);
    for (String other : List.of(policy + ", epsilon: 0.05", "screen", policy)) {
      Blocks copy = played(bandit, 20);
      String tau = other.equals(policy) ? "0.2" : "0.1";
      assertEquals(List.of("policy-state"), bandit(other, tau).succeed(bandit, copy), other);
      assertNotNull(copy.get(0), "the model stays");
      assertEquals(0, memory(copy).duals().phi(0));
      assertEquals(20, memory(copy).duals().decisions());
    }
    assertEquals(List.of("policy-state"), bandit(policy, "0.1").succeed(null, blocks));
    assertEquals(0, memory(blocks).duals().phi(0));
    assertEquals(21, memory(blocks).duals().decisions());
  }

  @Test
  void theNeedOfCxStartsAnewUnderAnotherThresholdAndItsExplorationsStayCounted() {
    LogisticBandit bandit = bandit("forced-exploration, slack: 0.05", "0.1");
    Blocks blocks = played(bandit, 200);
    NeedBlock before = Objects.requireNonNull(memory(blocks).need()).copy();
    assertTrue(before.explored() > 0);
    assertEquals(
        List.of(), bandit("forced-exploration, slack: 0.3", "0.1").succeed(bandit, blocks));
    assertEquals(before, memory(blocks).need());
    assertEquals(
        List.of("policy-state"), bandit("forced-exploration", "0.2").succeed(bandit, blocks));
    NeedBlock after = Objects.requireNonNull(memory(blocks).need());
    assertEquals(before.explored(), after.explored());
    assertEquals(0, after.playGain());
    Blocks fresh = played(bandit("screen", "0.1"), 200);
    bandit("forced-exploration", "0.2").succeed(null, fresh);
    assertEquals(0, Objects.requireNonNull(memory(fresh).need()).explored());
  }

  @Test
  void theDesignOfGlmUcbOutlivesItsLimitsButNotThePolicy() {
    LogisticBandit bandit = bandit("glm-ucb", "0.1");
    Blocks blocks = played(bandit, 20);
    DesignBlock before = Objects.requireNonNull(memory(blocks).design()).copy();
    assertEquals(List.of(), bandit("glm-ucb", "0.2").succeed(bandit, blocks));
    assertEquals(before, memory(blocks).design());
    assertEquals(List.of(), bandit("glm-ucb", "0.2").succeed(null, blocks), "it says itself whose");
    assertEquals(before, memory(blocks).design());
    assertEquals(List.of("policy-state"), bandit("ofulog", "0.2").succeed(bandit, blocks));
    assertEquals(null, memory(blocks).design());
    assertEquals(20, memory(blocks).duals().decisions());
    assertEquals(List.of(), bandit("glm-ucb", "0.2").succeed(null, blocks), "nothing to drop");
    assertEquals(new DesignBlock(bandit.dimension()), memory(blocks).design());
  }

  @Test
  void seededTiesAreDrawnWithExactPropensities() {
    LogisticBandit bandit = bandit("ofulog, ties: seeded", "0.3");
    Request request = request(bandit, 0, .5, 3);
    int[] chosen = new int[3];
    for (int t = 1; t <= 3000; t++) {
      Choice choice = decide(bandit, new MemoryBlocks(), request, t).choice();
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
    LogisticBandit bandit = bandit("ofulog", "0.05");
    Blocks blocks = new MemoryBlocks();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 1; t <= 2000; t++) {
      Request request = request(bandit, 0, 2 * random.nextDouble() - 1, 3);
      AuditedChoice audited = decide(bandit, blocks, request, t);
      assertEquals(Verdict.NO_OVERLAP, audited.findings().get(0).verdict(), "round " + t);
      assertFalse(audited.choice().certified());
      learn(bandit, blocks, request, audited.choice().arm(), random.nextInt(2));
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
}
