package io.equipoise.bandit.logistic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Block;
import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.Experience;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.UnusableRequestException;
import io.equipoise.bandit.Why;
import io.equipoise.bandit.features.Profile;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectKind;
import io.equipoise.fairness.Guarantee;
import io.equipoise.fairness.Verdict;
import io.equipoise.spec.SpecException;
import io.equipoise.spec.SpecParser;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogisticBanditTest {
  private static final long SEED = 77;

  /** One sensitive attribute, one number, three arms. */
  private static LogisticBandit bandit(String policy, String tau) {
    return LogisticBandit.compile(
        SpecParser.parse(
            """
            name: logistic
            number: 1
            segments: default
            variables:
              S: {role: sensitive, levels: [a, b], missing: level}
              X: {role: context, range: [-1, 1], cuts: [0]}
              A: {role: action, levels: [left, middle, right]}
              R: {role: reward}
            graph: "dag { {S X A} -> R }"
            arms: all
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {tau: %s}
            join: {window: 60s, fallback: "A=left"}
            """
                .formatted(policy, tau)));
  }

  private static Request request(LogisticBandit bandit, int s, double x, int arms) {
    List<Offer> offers = new ArrayList<>();
    for (int arm = 0; arm < arms; arm++) {
      offers.add(new Offer(bandit.spec().arms().list().get(arm).id(), arm, Profile.of(arm)));
    }
    return new Request(new Profile(new int[] {s, 0}, new double[] {x}), offers, arms == 3);
  }

  private static AuditedChoice decide(
      LogisticBandit bandit, Blocks blocks, Request request, int t) {
    return bandit.decide(blocks, request, t, new Draw(1, "s", "d" + t), ClippedIndex.NONE);
  }

  private static void learn(
      LogisticBandit bandit, Blocks blocks, Request request, int offer, double reward) {
    double[] inputs = bandit.inputs(request, offer);
    int[] person = request.person().levels();
    bandit.learn(blocks, new Experience(person, inputs, offer, offer, new int[0], reward), 1);
  }

  /** Plays rounds in which arm "right" pays everybody and "left" only people of S = b. */
  private static Blocks played(LogisticBandit bandit, int rounds) {
    Blocks blocks = new MemoryBlocks();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 1; t <= rounds; t++) {
      Request request =
          request(bandit, random.nextInt(2), 2 * random.nextDouble() - 1, 2 + random.nextInt(2));
      Choice choice = decide(bandit, blocks, request, t).choice();
      double paid =
          choice.arm() == 2 ? .7 : choice.arm() == 0 ? .9 * request.person().levels()[0] : .2;
      learn(bandit, blocks, request, choice.arm(), random.nextDouble() < paid ? 1 : 0);
    }
    return blocks;
  }

  private static ByteBuffer bytes(Blocks blocks) {
    ByteBuffer all = ByteBuffer.allocate(1 << 16);
    for (Map.Entry<Long, Block> entry : blocks.entries()) {
      all.putLong(entry.getKey());
      entry.getValue().appendTo(all);
    }
    return all.flip();
  }

  private static LogisticMemory memory(Blocks blocks) {
    return (LogisticMemory) Objects.requireNonNull(blocks.get(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"glm-ucb", "ofulog", "cclb", "eps-cclb", "screen", "pc", "cx"})
  void everyPolicyDecidesTheSameFromTheBytesOfItsState(String policy) {
    LogisticBandit bandit = bandit(policy, "0.3");
    Blocks blocks = played(bandit, 300);
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
    LogisticBandit bandit = bandit("cx, features: [{number: {of: X, scale: 1e-308}}]", "0.3");
    Blocks blocks = new MemoryBlocks();
    Request request =
        new Request(
            new Profile(new int[] {0, 0}, new double[] {1e10}),
            List.of(new Offer("A=left", 0, Profile.of(0))),
            false);
    UnusableRequestException refused =
        assertThrows(UnusableRequestException.class, () -> decide(bandit, blocks, request, 1));
    assertEquals("arm A=left: a feature is not finite", refused.getMessage());
    assertThrows(UnusableRequestException.class, () -> learn(bandit, blocks, request, 0, 1));
    assertFalse(blocks.entries().iterator().hasNext());
  }

  @ParameterizedTest
  @ValueSource(strings = {"glm-ucb", "ofulog", "cclb", "eps-cclb", "screen", "pc", "cx"})
  void aZeroVectorIsDecidedWithAndLearntFrom(String policy) {
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
    String policy = "pc, dual: {cap: 5, schedule: anytime}";
    LogisticBandit bandit = bandit(policy, "0.1");
    Blocks blocks = played(bandit, 20);
    double phi = memory(blocks).duals().phi(0);
    assertTrue(phi > 0, "phi " + phi);
    AuditedChoice audited = decide(bandit, blocks, request(bandit, 0, .5, 3), 21);
    assertEquals(List.of(phi), audited.duals());

    assertEquals(bandit.fingerprint(), bandit(policy, "0.2").fingerprint());
    assertEquals(List.of(), bandit(policy, "0.1").succeed(bandit, blocks));
    assertNotNull(blocks.get(1));
    for (String other :
        List.of(policy + ", epsilon: 0.05", "pc, dual: {cap: 5}", "screen", policy)) {
      Blocks copy = played(bandit, 20);
      String tau = other.equals(policy) ? "0.2" : "0.1";
      assertEquals(List.of("policy-state"), bandit(other, tau).succeed(bandit, copy), other);
      assertNotNull(copy.get(0), "the model stays");
      assertEquals(null, copy.get(1));
    }
    assertEquals(List.of("policy-state"), bandit(policy, "0.1").succeed(null, blocks));
    assertEquals(List.of(), bandit(policy, "0.1").succeed(null, blocks), "nothing left to drop");
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
      assertEquals(Verdict.UNCOVERED, audited.findings().get(0).verdict(), "round " + t);
      assertFalse(audited.choice().certified());
      learn(bandit, blocks, request, audited.choice().arm(), random.nextInt(2));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"glm-ucb", "ofulog", "cclb", "eps-cclb", "screen", "pc", "cx"})
  void exploringOverAllDrawsEveryArmWithItsPropensityAndSaysSo(String policy) {
    LogisticBandit bandit = bandit(policy + ", explore: {share: 0.3, over: all}", "0.3");
    Blocks blocks = played(bandit, 200);
    Request request = request(bandit, 0, .5, 3);
    LogisticBandit plain = bandit(policy, "0.3");
    int ruled = plain.decide(copy(blocks), request, 1, draw(0), ClippedIndex.NONE).choice().arm();
    int[] chosen = new int[3];
    int explored = 0;
    for (int t = 1; t <= 1000; t++) {
      AuditedChoice audited = bandit.decide(copy(blocks), request, 1, draw(t), ClippedIndex.NONE);
      Choice choice = audited.choice();
      assertEquals(PropensityKind.EXACT, choice.propensityKind());
      for (int arm = 0; arm < 3; arm++) {
        assertEquals(arm == ruled ? .8 : .1, choice.propensities()[arm], 1e-15);
      }
      if (choice.arm() != ruled) {
        assertEquals(Why.EXPLORE, choice.why());
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
    LogisticBandit bandit = bandit("ofulog, explore: {share: 0.5}", "0.3");
    Blocks blocks = new MemoryBlocks();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 3000; i++) {
      Request request = request(bandit, i % 2, 2 * random.nextDouble() - 1, 3);
      double paid = i % 3 == 0 ? .2 + .5 * (i % 2) : .5;
      learn(bandit, blocks, request, i % 3, random.nextDouble() < paid ? 1 : 0);
    }
    int drawn = 0;
    int withoutAny = 0;
    for (int t = 1; t <= 300; t++) {
      Request request = request(bandit, random.nextInt(2), 2 * random.nextDouble() - 1, 3);
      AuditedChoice audited = bandit.decide(copy(blocks), request, 1, draw(t), ClippedIndex.NONE);
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
    Blocks none = new MemoryBlocks();
    Choice first =
        bandit("ofulog, explore: {share: 0.5}", "0.05")
            .decide(none, request(bandit, 0, .5, 3), 1, draw(1), ClippedIndex.NONE)
            .choice();
    assertEquals(1, first.propensities()[first.arm()], "nothing is certified before any reward");
    assertTrue(withoutAny < 300, "without any certified arm " + withoutAny);
  }

  @Test
  void dualVariablesMoveByTheArmThatWasExplored() {
    LogisticBandit plain = bandit("pc", "0.1");
    LogisticBandit exploring = bandit("pc, explore: {share: 0.999, over: all}", "0.1");
    Blocks blocks = played(plain, 600);
    Request request = request(plain, 0, .5, 3);
    double before = memory(blocks).duals().phi(0);
    for (int t = 1; t <= 20; t++) {
      Blocks after = copy(blocks);
      Choice choice = exploring.decide(after, request, 1, draw(t), ClippedIndex.NONE).choice();
      Request only = request(plain, 0, .5, 3);
      Blocks alone = copy(blocks);
      Offer offer = only.offers().get(choice.arm());
      Request forced = new Request(only.person(), List.of(offer), false);
      plain.decide(alone, forced, 1, draw(t), ClippedIndex.NONE);
      assertEquals(memory(alone).duals().phi(0), memory(after).duals().phi(0), "from " + before);
    }
  }

  private static Draw draw(int t) {
    return new Draw(1, "s", "d" + t);
  }

  /** Returns the same state in blocks of its own. */
  private static Blocks copy(Blocks blocks) {
    Blocks copy = new MemoryBlocks();
    for (Map.Entry<Long, Block> entry : blocks.entries()) {
      ByteBuffer bytes = ByteBuffer.allocate(entry.getValue().byteLength());
      entry.getValue().appendTo(bytes);
      bytes.flip();
      copy.put(
          entry.getKey(),
          entry.getKey() == 0 ? StreamingModel.readFrom(bytes) : LogisticMemory.readFrom(bytes));
    }
    return copy;
  }

  @Test
  void whatCannotBeComputedWithIsRefusedBeforeItRuns() {
    SpecException wide = assertThrows(SpecException.class, () -> bandit("pc, epsilon: 0.4", "0.3"));
    assertTrue(wide.getMessage().contains("less than tau, which for S is 0.3"), wide.getMessage());
    SpecException large = assertThrows(SpecException.class, () -> bandit("screen", "1.5"));
    assertTrue(large.getMessage().contains("fairness.tau"), large.getMessage());
  }
}
