package io.equipoise.policy.allocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundRow;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.UnusableRequestException;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Allocation matching over the features 1, S, X, A of {@link TestSpecs}: 2 arms in 6 contexts, 2 of
 * which never come, since all people say what they are.
 */
class OamPolicyTest {
  private static final String OAM = "oam, horizon: 1000";
  private static final String MAINS = ", features: [intercept, one-hot: S, one-hot: X, one-hot: A]";
  private static final String PCB =
      "oam-pcb, horizon: 1000, causal-bounds: {name: shop, delta: 0.1}";
  private static final SeededRandom DRAW = new SeededRandom(1, "s", "d1");

  private final MemoryModelState blocks = new MemoryModelState();
  private long t;

  private static Policy bandit(String policy) {
    String join = "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
    String text = TestSpecs.text(policy, 1, join, "{range: [0, 1]}", "reject");
    return TestSpecs.compiled(text).policy();
  }

  private static Request request(int s, int x) {
    List<Candidate> offers =
        List.of(
            new Candidate("A=left", 0, Profile.of(0)), new Candidate("A=right", 1, Profile.of(1)));
    return new Request(Profile.of(s, x), offers, true, offers.size());
  }

  private AuditedChoice decide(Policy bandit, int s, int x, ClippedIndex clip) {
    return bandit.decide(blocks, request(s, x), ++t, DRAW, clip);
  }

  private void learn(Policy bandit, int s, int x, int arm, double reward) {
    bandit.learn(
        blocks,
        new Experience(new int[] {s, x}, new double[0], arm, arm, new int[] {-1}, reward),
        t);
  }

  /** Plays rounds; right brings 0.9, left 0.1; returns how often left was chosen. */
  private int play(Policy bandit, int rounds, ClippedIndex clip) {
    int left = 0;
    for (int round = 0; round < rounds; round++) {
      int s = round & 1;
      int x = round >> 1 & 1;
      int arm = decide(bandit, s, x, clip).choice().arm();
      left += arm == 0 ? 1 : 0;
      learn(bandit, s, x, arm, arm == 0 ? .1 : .9);
    }
    return left;
  }

  private static ClippedIndex clip(Policy bandit, double[] left, double[] right) throws Exception {
    return ClippedIndex.into(
        table(bandit, left, right), new BitSet(), bandit.spec().reward().range());
  }

  private static CausalBoundTable table(Policy bandit, double[] left, double[] right)
      throws Exception {
    return CausalBoundTable.of(
        bandit.spec(),
        List.of(
            new CausalBoundRow("A=left", Map.of(), left[0], left[1], false),
            new CausalBoundRow("A=right", Map.of(), right[0], right[1], false)));
  }

  @Test
  void itSpansAllFeaturesBeforeItEstimates() {
    Policy bandit = bandit(OAM + MAINS);
    for (int round = 0; round < 5; round++) {
      int s = round & 1;
      int x = round >> 1 & 1;
      AuditedChoice choice = decide(bandit, s, x, ClippedIndex.NONE);
      if (round < 4) {
        assertEquals(DecisionReason.FORCED_EXPLORATION, choice.choice().reason(), "round " + round);
      }
      assertEquals(round < 4 ? 0 : .5, choice.choice().mean(), 1e-12, "1, S, X and A are spanned");
      learn(bandit, s, x, choice.choice().arm(), .5);
    }
  }

  /** The plan counts a round as if its own arm had been played; pulls count at the reward. */
  @Test
  void exploringPlaysEveryArmWithItsPropensityAndThePlanMovesAsWithoutIt() throws Exception {
    String products = ", features: [one-hot: S, one-hot: A, product: [one-hot: S, one-hot: A]]";
    for (String policy : List.of(OAM, PCB, OAM + products)) {
      Policy plain = bandit(policy);
      Policy exploring = bandit(policy + ", explore: {share: 0.4, over: all}");
      boolean isClipped = policy.equals(PCB);
      ClippedIndex clip =
          isClipped ? clip(plain, new double[] {0, .3}, new double[] {.5, .6}) : ClippedIndex.NONE;
      MemoryModelState own = new MemoryModelState();
      int explored = 0;
      for (int round = 0; round < 300; round++) {
        int s = round & 1;
        int x = round >> 1 & 1;
        MemoryModelState without = copy(own);
        int planned = plain.decide(without, request(s, x), round + 1, DRAW, clip).choice().arm();
        SeededRandom seededRandom = new SeededRandom(1, "s", "d" + round);
        AuditedChoice audited = exploring.decide(own, request(s, x), round + 1, seededRandom, clip);
        Choice choice = audited.choice();
        assertEquals(without.get(2), own.get(2), "the plan");
        PublishedChoice publishedChoice = new PublishedChoice(choice, null);
        assertEquals(
            plain
                .decide(without, request(s, x), round + 1, seededRandom, clip, publishedChoice)
                .findings(),
            audited.findings());
        assertEquals(PropensityKind.EXACT, choice.propensityKind());
        assertEquals(.8, choice.propensities()[planned], 1e-15);
        assertEquals(.2, choice.propensities()[1 - planned], 1e-15);
        assertEquals(choice.arm() != planned, choice.explored());
        assertTrue(!choice.explored() || choice.reason() == DecisionReason.EXPLORE);
        double most = isClipped ? (choice.arm() == 0 ? .3 : .6) : Double.POSITIVE_INFINITY;
        assertTrue(choice.index() <= most, choice.arm() + " has the index " + choice.index());
        explored += choice.explored() ? 1 : 0;
        exploring.learn(
            own,
            new Experience(
                new int[] {s, x},
                new double[0],
                choice.arm(),
                choice.arm(),
                new int[] {-1},
                choice.arm() == 0 ? .1 : .9),
            round + 1);
      }
      assertEquals(.2, explored / 300.0, 4 * Math.sqrt(.16 / 300), policy);
    }
  }

  private static MemoryModelState copy(MemoryModelState blocks) {
    MemoryModelState copy = new MemoryModelState();
    for (Map.Entry<Long, StateBlock> entry : blocks.entries()) {
      copy.put(entry.getKey(), entry.getValue().copy());
    }
    return copy;
  }

  @Test
  void aLevelThatComesLateIsTriedAndThenKnownLikeTheOthers() {
    Policy bandit = bandit(OAM + MAINS + ", variance: 0.01");
    play(bandit, 300, ClippedIndex.NONE);
    int undisclosed = 2;
    AuditedChoice first = decide(bandit, undisclosed, 0, ClippedIndex.NONE);
    assertEquals(DecisionReason.FORCED_EXPLORATION, first.choice().reason());
    learn(bandit, undisclosed, 0, first.choice().arm(), first.choice().arm() == 0 ? .1 : .9);
    double mean = decide(bandit, undisclosed, 1, ClippedIndex.NONE).choice().mean();
    assertTrue(Math.abs(mean - .1) < 1e-9 || Math.abs(mean - .9) < 1e-9, "mean " + mean);
  }

  @Test
  void itLeavesTheWorseArmAndKeepsItsEvidence() {
    Policy bandit = bandit(OAM + MAINS + ", variance: 0.01");
    int left = play(bandit, 400, ClippedIndex.NONE);
    assertTrue(left > 0 && left < 40, left + " of 400");
    OamPlan plan = (OamPlan) blocks.get(2);
    assertNotNull(plan);
    assertTrue(plan.explored() >= left - 4 && plan.explored() < 400, "explored " + plan.explored());
    assertTrue(plan.explored() > 0, "some rounds explore");
    AuditedChoice last = decide(bandit, 0, 0, ClippedIndex.NONE);
    assertEquals(1, last.choice().arm());
    assertEquals(DecisionReason.EXPLOIT, last.choice().reason());
    assertEquals(.9, last.choice().mean(), 1e-9);
    assertEquals(0, last.choice().width(), 1e-12, "an exploited mean is its index");
    assertEquals(PropensityKind.DETERMINISTIC, last.choice().propensityKind());
    assertEquals(1, last.choice().propensities()[1]);
  }

  @Test
  void anArmWhoseUpperBoundIsBelowTheBestEstimateIsLeftAlone() throws Exception {
    Policy bandit = bandit(PCB);
    ClippedIndex narrow = clip(bandit, new double[] {0, .3}, new double[] {0, 1});
    ClippedIndex wide = clip(bandit, new double[] {0, 1}, new double[] {0, 1});
    for (ClippedIndex clip : List.of(narrow, wide)) {
      for (long key = 0; key < 3; key++) {
        blocks.remove(key);
      }
      play(bandit, 12, ClippedIndex.NONE);
      int left = play(bandit, 100, clip);
      assertEquals(clip == wide, left > 0, "tried " + left + " times");
    }
  }

  @Test
  void boundsClipTheMeanThatIsExploited() throws Exception {
    Policy bandit = bandit(PCB + ", variance: 0.001");
    play(bandit, 300, ClippedIndex.NONE);
    ClippedIndex clip = clip(bandit, new double[] {0, .2}, new double[] {.3, .6});
    AuditedChoice choice = decide(bandit, 0, 0, clip);
    assertEquals(DecisionReason.EXPLOIT, choice.choice().reason());
    assertEquals(.6, choice.choice().index());
    assertEquals(.9, choice.choice().mean(), 1e-9);
  }

  @Test
  void boundsThatRewardsExcludeAreRefutedOnce() throws Exception {
    Policy bandit = bandit(PCB);
    CausalBoundTable boundsTable = table(bandit, new double[] {0, 1}, new double[] {0, .05});
    BitSet known = new BitSet();
    assertEquals(List.of(), bandit.refuted(blocks, request(0, 0), 1, boundsTable, known));
    play(bandit, 400, ClippedIndex.NONE);
    List<Refutation> refuted = bandit.refuted(blocks, request(0, 0), t, boundsTable, known);
    assertEquals(1, refuted.size());
    assertEquals(1, refuted.get(0).arm());
    assertTrue(refuted.get(0).lower() > .05, refuted::toString);
    known.set(refuted.get(0).row());
    assertEquals(List.of(), bandit.refuted(blocks, request(0, 0), t, boundsTable, known));
  }

  @Test
  void everyChoiceIsAuditedForTheAttribute() {
    Policy bandit = bandit(OAM);
    AuditFinding finding = decide(bandit, 0, 1, ClippedIndex.NONE).findings().get(0);
    assertEquals(AuditEffectKind.DIRECT, finding.effect().kind());
    assertEquals(AuditGuarantee.ANYTIME, finding.guarantee());
    for (int round = 0; round < 2000; round++) {
      learn(bandit, round & 1, round >> 1 & 1, round >> 2 & 1, (round & 1) == 0 ? .2 : .8);
    }
    AuditFinding learned = decide(bandit, 0, 1, ClippedIndex.NONE).findings().get(0);
    assertEquals(.6, learned.effect().estimate(), .01, "b against a");
    assertTrue(learned.effect().lower() > .2, "above tau: " + learned);
  }

  @Test
  void anotherHorizonKeepsWhatWasLearnedAndPlansAnew() {
    Policy bandit = bandit(OAM);
    play(bandit, 50, ClippedIndex.NONE);
    Policy longer = bandit("oam, horizon: 5000");
    assertEquals(bandit.fingerprint(), longer.fingerprint());
    assertEquals(List.of(), bandit(PCB).succeed(bandit, blocks), "bounds are no part of the plan");
    assertEquals(List.of(Policy.POLICY_STATE), longer.succeed(bandit, blocks));
    assertEquals(2, count(), "the ridge and the statistics");
    assertEquals(List.of(), longer.succeed(bandit, blocks), "there is nothing left to drop");
  }

  private int count() {
    int count = 0;
    for (Map.Entry<Long, ?> unused : blocks.entries()) {
      count++;
    }
    return count;
  }

  @Test
  void otherFeaturesAreAnotherModel() {
    assertNotEquals(
        bandit(OAM).fingerprint(),
        bandit(OAM + ", features: [intercept, one-hot: A]").fingerprint());
  }

  @Test
  void aModelWeighsWhatItsBlocksDo() {
    Policy bandit = bandit(OAM);
    play(bandit, 1, ClippedIndex.NONE);
    double bytes = 0;
    for (Map.Entry<Long, io.equipoise.policy.StateBlock> block : blocks.entries()) {
      bytes += Long.BYTES + block.getValue().byteLength();
    }
    assertEquals(bytes, bandit.modelBytes());
  }

  @Test
  void aRewardThatCannotBeComputedWithChangesNothing() {
    Policy bandit = bandit(OAM);
    play(bandit, 10, ClippedIndex.NONE);
    List<Map.Entry<Long, io.equipoise.policy.StateBlock>> before = new ArrayList<>();
    blocks
        .entries()
        .forEach(entry -> before.add(Map.entry(entry.getKey(), entry.getValue().copy())));
    assertThrows(UnusableRequestException.class, () -> learn(bandit, 0, 0, 0, 1e10));
    List<Map.Entry<Long, io.equipoise.policy.StateBlock>> after = new ArrayList<>();
    blocks.entries().forEach(after::add);
    assertEquals(before, after);
  }

  @Test
  void tooManyContextsAndFeaturesThatAreAllZeroAreRefused() {
    String many =
        TestSpecs.text(OAM, 1, "{reward-window: 60s}", "{range: [0, 1]}", "reject")
            .replace("levels: [low, high]", "levels: [a, b, c, d, e, f, g, h, i, j, k]");
    SpecException refused = assertThrows(SpecException.class, () -> TestSpecs.compiled(many));
    assertEquals(
        "policy.name: oam with 33 contexts of 2 arms given; at most 64 in all: it solves for every"
            + " context and arm together; linucb takes more",
        refused.faults().get(0).toString());
    SpecException zero =
        assertThrows(
            SpecException.class,
            () ->
                bandit(
                    OAM
                        + ", features: [{product: [{level: {of: S, is: a}}, {level: {of: S, is:"
                        + " b}}]}]"));
    assertEquals("policy.features", zero.faults().get(0).place());
  }
}
