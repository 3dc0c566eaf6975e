package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.DecisionReason;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.CausalBoundRow;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The intervals of all arms hold at once, also of arms that no spec names. */
class AlphaSpendingTest {
  private static final int RUNS = Tier.count(100, 3000);
  private static final int ARMS = 60;
  private static final int REWARDS = 8;
  private static final double DELTA = .2;
  private static final double SCALE = .5;
  private static final double NORM = 1e-6;
  private static final Profile PERSON = Profile.of(1, 0);
  private static final SeededRandom DRAW = new SeededRandom(1, "s", "d");

  private static Policy bandit(String more) {
    String features = "features: [level: {of: S, is: b}, level: {of: A, is: right}]";
    String policy =
        "linucb, alpha: {self-normalized: %s}, theta-norm: %s, %s%s"
            .formatted(DELTA, NORM, features, more);
    String fairness =
        "tau: 0.2, delta: %s, scale: %s, certificates: {interval: ellipsoid}"
            .formatted(DELTA, SCALE);
    SpecVariant spec = SpecVariant.of(policy).fairness(fairness).reward("{range: [0, 10]}");
    return TestSpecs.compiled(spec.text()).policy();
  }

  private static Request request(int known, int... positions) {
    Candidate[] offers = new Candidate[positions.length];
    for (int place = 0; place < offers.length; place++) {
      offers[place] = new Candidate("own-" + place, positions[place], Profile.of(0));
    }
    return new Request(PERSON, List.of(offers), false, known);
  }

  private static AuditedChoice decide(Policy bandit, MemoryModelState blocks, Request request) {
    return bandit.decide(blocks, request, 1, DRAW, ClippedIndex.NONE);
  }

  @Test
  void theSharesOfAllArmsThatMayEverComeAddUpToTheWhole() {
    double sum = 0;
    for (int position = 10_000_000; position >= 0; position--) {
      sum += AlphaSpending.share(position);
    }
    assertTrue(sum <= 1 && sum > 1 - 1e-6, "sum " + sum);
    assertTrue(AlphaSpending.share(Integer.MAX_VALUE) > 0);
    assertEquals(1, AlphaSpending.share(LinearBlocks.SHARED), "one model for all arms errs once");
  }

  /** Every arm is a request's own; noise is normal, so that the bound has little to spare. */
  @Test
  void theAuditMissesAnyOfManyArmsAtMostAsOftenAsDeltaSays() {
    Policy bandit = bandit("");
    SplittableRandom seeds = new SplittableRandom(4711);
    int missed = 0;
    for (int run = 0; run < RUNS; run++) {
      missed += isAnyArmMissed(bandit, seeds.split()) ? 1 : 0;
    }
    Tier.found(AlphaSpendingTest.class, "runs with a missed arm, share", (double) missed / RUNS);
    double tolerance = 3 * Math.sqrt(DELTA * (1 - DELTA) / RUNS);
    assertTrue(missed <= (DELTA + tolerance) * RUNS, missed + " of " + RUNS + ", seed 4711");
  }

  /** No arm has an effect; says whether an interval leaves 0 out at any time. */
  private static boolean isAnyArmMissed(Policy bandit, SplittableRandom random) {
    MemoryModelState blocks = new MemoryModelState();
    for (int reward = 0; reward <= REWARDS; reward++) {
      for (int arm = 0; arm < ARMS; arm++) {
        Request request = reward == 0 ? request(arm, -1) : request(ARMS, arm);
        AuditFinding found = decide(bandit, blocks, request).findings().get(0);
        assertEquals(AuditGuarantee.ANYTIME, found.guarantee());
        if (found.effect().lower() > 0 || found.effect().upper() < 0) {
          return true;
        }
        double[] inputs = bandit.inputs(request, 0);
        double noise = random.nextGaussian(0, SCALE);
        bandit.learn(
            blocks, new Experience(PERSON.levels(), inputs, -1, arm, new int[] {-1}, noise), 1);
      }
    }
    return false;
  }

  @Test
  void anArmThatIsNewIsCheckedAsAtThePositionThatItWouldGet() {
    Policy bandit = bandit("");
    MemoryModelState blocks = new MemoryModelState();
    AuditedChoice fresh = decide(bandit, blocks, request(5, -1, -1));
    assertEquals(
        0, fresh.choice().arm(), "both would get the next position, so the first is taken");
    double own = DELTA * 6 / (Math.PI * Math.PI * 36);
    double reach = SCALE * Math.sqrt(2 * Math.log(1 / own)) + NORM;
    assertEquals(reach, fresh.choice().width(), 1e-12, "the index");
    EffectFinding auditEffect = fresh.findings().get(0).effect();
    assertEquals(reach, auditEffect.upper(), 1e-12, "the audit");
    assertEquals(decide(bandit, blocks, request(6, 5)).findings(), fresh.findings());
  }

  @Test
  void theConstraintAsksOfAnArmWhatTheAuditDoes() {
    Policy hard = bandit(", constraint: hard");
    AuditedChoice choice = decide(hard, new MemoryModelState(), request(9, 7, 2, -1, 5));
    assertEquals(DecisionReason.UNCERTIFIED, choice.choice().reason());
    assertEquals(1, choice.choice().arm(), "the narrowest interval is that of the first position");
  }

  @Test
  void aCausalBoundIsRefutedAtTheShareOfItsArm() throws Exception {
    Policy bandit = bandit(", causal-bounds: {name: p, delta: %s}".formatted(DELTA));
    MemoryModelState blocks = new MemoryModelState();
    Candidate left = new Candidate("A=left", 4, Profile.of(0));
    Candidate right = new Candidate("A=right", -1, Profile.of(1));
    Request request = new Request(PERSON, List.of(left, right), true, 5);
    double[] inputs = bandit.inputs(request, 0);
    bandit.learn(blocks, new Experience(PERSON.levels(), inputs, 0, 4, new int[] {-1}, 9), 1);
    CausalBoundTable boundsTable =
        CausalBoundTable.of(
            bandit.spec(), List.of(new CausalBoundRow("A=left", Map.of(), 0, 1, false)));
    Refutation refuted = bandit.refuted(blocks, request, 1, boundsTable, new BitSet()).get(0);
    double own = DELTA * 6 / (Math.PI * Math.PI * 25);
    double beta = SCALE * Math.sqrt(Math.log(2) + 2 * Math.log(1 / own)) + NORM;
    assertEquals(4.5, refuted.estimate(), 1e-12);
    assertEquals(4.5 - beta * Math.sqrt(.5), refuted.lower(), 1e-12);
  }

  @Test
  void oneModelOfAllArmsHasTheWholeDelta() {
    AuditedChoice shared = decide(bandit(", model: shared"), new MemoryModelState(), request(9, 7));
    double reach = SCALE * Math.sqrt(2 * Math.log(1 / DELTA)) + NORM;
    assertEquals(reach, shared.choice().width(), 1e-12);
    assertEquals(reach, shared.findings().get(0).effect().upper(), 1e-12);
    assertFalse(shared.choice().certified());
  }
}
