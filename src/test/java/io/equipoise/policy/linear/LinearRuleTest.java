package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.Choice;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates.FeatureMask;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import io.equipoise.segmentspec.NumberRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinearRuleTest extends LinearFixture {
  @Test
  void theScoreIsMeanPlusAlphaTimesWidthAndTiesGoToTheFirst() {
    LinearRule policy = policy(UCB, NONE, ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    offer(new double[] {1, 0, 0}, new double[] {1, 0, 0}, new double[] {1, 0, 0});
    assertEquals(0, policy.choose(blocks, candidates, 1, DRAW, round));
    teach(policy, blocks, 0, .2, 1, 0, 0);
    assertEquals(1, policy.choose(blocks, candidates, 2, DRAW, round));
    assertEquals(.1 + .5 * Math.sqrt(.5), round.score[0], 1e-15);
    assertEquals(.5, round.score[1], 1e-15);
    Choice choice = round.toChoice();
    assertEquals(DecisionReason.EXPLORE, choice.reason());
    assertEquals(PropensityKind.DETERMINISTIC, choice.propensityKind());
    assertArrayEquals(new double[] {0, 1, 0}, choice.propensities());
    assertNull(choice.excluded());
  }

  /** Two rewards of 1 in 8, and one at each end of the range: the mean is .3. */
  @Test
  void anIndexForUseReachesDeviationsOfTheRewardsAboveTheMean() {
    LinearIndex index = new LinearIndex.Ucb(new Radius.Fixed(2), new NumberRange(0, 1));
    for (boolean isClipped : List.of(false, true)) {
      LinearRule policy =
          policy(isClipped ? new LinearIndex.Clipped(index) : index, NONE, ExploreSpec.NEVER);
      MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
      offer(new double[] {1, 0, 0}, new double[] {1, 0, 0});
      policy.choose(blocks, candidates, 1, DRAW, round);
      assertEquals(1, round.score[0], 1e-15, "half the range, twice");
      for (int i = 0; i < 8; i++) {
        teach(policy, blocks, i % 2, i < 2 ? 1 : 0, 1, 0, 0);
      }
      policy.choose(blocks, candidates, 9, DRAW, round);
      double deviation = Math.sqrt(.3 * .7);
      assertEquals(1 / 5. + 2 * deviation * Math.sqrt(1 / 5.), round.score[0], 1e-12);
    }
  }

  @Test
  void aSharedThetaLearnsForAllArms() {
    LinearRule policy = new LinearRule(MODEL, true, UCB, NONE, ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    teach(policy, blocks, 7, 1, 1, 0, 0);
    offer(new double[] {0, 1, 0}, new double[] {1, 0, 0});
    policy.choose(blocks, candidates, 1, DRAW, round);
    assertEquals(0, round.mean[0]);
    assertEquals(.5, round.mean[1]);
  }

  @Test
  void candidatesMayComeAndGoAndAVanishedArmMayStillBeRewarded() {
    LinearRule policy = policy(UCB, NONE, ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    offer(new double[] {1, 0, 0});
    policy.choose(blocks, candidates, 1, DRAW, round);
    candidates.clear();
    assertEquals(LinearRound.NONE, policy.choose(blocks, candidates, 2, DRAW, round));
    assertThrows(IllegalStateException.class, round::toChoice);
    teach(policy, blocks, 0, 1, 1, 0, 0);
    candidates.add(905, new double[] {0, 1, 0});
    assertEquals(InputCheck.WRONG_DIMENSION, candidates.add(906, new double[] {0, 1}));
    assertEquals(InputCheck.TOO_LARGE, candidates.add(906, new double[] {0, 1e300, 0}));
    assertEquals(InputCheck.NOT_FINITE, candidates.add(906, new double[] {0, Double.NaN, 0}));
    assertEquals(1, candidates.size());
    candidates.add(0, new double[] {1, 0, 0});
    assertEquals(1, policy.choose(blocks, candidates, 3, DRAW, round));
    assertEquals(.5, round.mean[1], "the reward of the arm while it was gone");
  }

  @Test
  void anIndexIsClippedIntoCausalBounds() {
    LinearRule policy = policy(new LinearIndex.Clipped(UCB), NONE, ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 0});
    candidates.bound(0, .3);
    candidates.add(1, new double[] {.1, 0, 0});
    candidates.bound(.35, 1);
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertEquals(.3, round.score[0]);
    assertEquals(.35, round.score[1]);
    assertThrows(IllegalArgumentException.class, () -> candidates.bound(1, 0));
  }

  @Test
  void exploringHappensWithTheSharesItSays() {
    LinearRule policy =
        policy(new LinearIndex.Mean(), NONE, new ExploreSpec(.3, ExploreSpec.Over.ALL));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    teach(policy, blocks, 1, 1, 1, 0, 0);
    offer(new double[] {1, 0, 0}, new double[] {1, 0, 0}, new double[] {1, 0, 0});
    int[] counts = new int[3];
    int decisions = 20_000;
    for (int i = 0; i < decisions; i++) {
      counts[policy.choose(blocks, candidates, 1, new SeededRandom(3, "s", "d" + i), round)]++;
    }
    assertEquals(PropensityKind.EXACT, round.kind);
    double[] expected = {.1, .8, .1};
    for (int place = 0; place < 3; place++) {
      assertEquals(expected[place], round.propensity[place], 1e-15);
      double error = Math.sqrt(expected[place] * (1 - expected[place]) / decisions);
      assertEquals(expected[place], counts[place] / (double) decisions, 4 * error);
    }
  }

  @Test
  void exploringOverTheFairSetNeverLeavesIt() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 1);
    LinearFairness hard = hard(effects, .3);
    LinearRule policy = policy(UCB, hard, new ExploreSpec(1, ExploreSpec.Over.FAIR_SET));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    for (int arm = 0; arm < 4; arm++) {
      candidates.add(arm, new double[] {1, 0, 0});
      candidates.addWorld(new double[] {1, arm % 2, 0});
    }
    int[] counts = new int[4];
    for (int i = 0; i < 1000; i++) {
      counts[policy.choose(blocks, candidates, 1, new SeededRandom(3, "s", "d" + i), round)]++;
      assertTrue(round.toChoice().certified());
    }
    assertArrayEquals(new double[] {.5, 0, .5, 0}, round.toChoice().propensities());
    assertTrue(counts[0] > 400 && counts[2] > 400 && counts[1] + counts[3] == 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> policy(UCB, NONE, new ExploreSpec(.1, ExploreSpec.Over.FAIR_SET)));
  }

  /** Two arms with independent posteriors: P(arm 1 wins) = Phi(difference / spread). */
  @Test
  void posteriorDrawsChooseAsOftenAsThePosteriorSays() {
    for (boolean isShared : new boolean[] {false, true}) {
      LinearRule policy =
          new LinearRule(
              MODEL, isShared, new LinearIndex.Posterior(1, 400), NONE, ExploreSpec.NEVER);
      MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
      for (int i = 0; i < 3; i++) {
        teach(policy, blocks, 0, .5, 1, 0, 0);
        teach(policy, blocks, 1, 1, 0, 1, 0);
      }
      offer(new double[] {1, 0, 0}, new double[] {0, 1, 0});
      double expected = .702; // Phi((.75 - .375) / sqrt(.25 + .25)) = Phi(.530)
      int won = 0;
      double estimated = 0;
      int decisions = 1000;
      for (int i = 0; i < decisions; i++) {
        SeededRandom seededRandom = new SeededRandom(9, "s", "d" + i);
        won += policy.choose(blocks, candidates, 1, seededRandom, round);
        estimated += round.propensity[1] / decisions;
        assertEquals(1, round.propensity[0] + round.propensity[1], 1e-9);
        assertTrue(round.propensity[round.chosen] > 0);
      }
      assertEquals(PropensityKind.ESTIMATED, round.kind);
      assertEquals(400, round.draws);
      assertEquals(expected, won / (double) decisions, .045, "shared " + isShared);
      assertEquals(expected, estimated, .01, "shared " + isShared);
    }
  }

  @Test
  void sharesOfOneDrawAreAnEstimateTooAlsoWithExploration() {
    for (ExploreSpec explore :
        List.of(ExploreSpec.NEVER, new ExploreSpec(.2, ExploreSpec.Over.ALL))) {
      LinearRule policy = policy(new LinearIndex.Posterior(1, 1), NONE, explore);
      offer(new double[] {1, 0, 0}, new double[] {0, 1, 0});
      policy.choose(new MemoryLinearBlocks(policy), candidates, 1, DRAW, round);
      assertEquals(PropensityKind.ESTIMATED, round.toChoice().propensityKind());
      assertEquals(1, round.toChoice().draws());
    }
  }

  @Test
  void theSameDrawChoosesTheSameAndAnotherMayNot() {
    LinearRule policy =
        policy(new LinearIndex.Posterior(1, 1), NONE, new ExploreSpec(.2, ExploreSpec.Over.ALL));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    offer(new double[] {1, 0, 0}, new double[] {0, 1, 0}, new double[] {0, 0, 1});
    int differences = 0;
    for (int i = 0; i < 50; i++) {
      SeededRandom seededRandom = new SeededRandom(9, "s", "d" + i);
      int first = policy.choose(blocks, candidates, 1, seededRandom, round);
      assertEquals(first, policy.choose(blocks, candidates, 1, seededRandom, round));
      differences += first == policy.choose(blocks, candidates, 1, DRAW, round) ? 0 : 1;
    }
    assertNotEquals(0, differences);
  }

  @Test
  void anEffectHasItsIntervalItsPriorShareAndItsVerdict() {
    RidgeRegression arm = MODEL.newArm();
    FeatureVector c = FeatureVector.of(0, 1, 0);
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalized(.1, 1, .05), 1);
    AuditFinding before = effects.finding(arm, LinearBlocks.SHARED, c, 2, 0, 1, .2);
    assertEquals(AuditVerdict.NO_OVERLAP, before.verdict());
    assertEquals(AuditGuarantee.ANYTIME, before.guarantee());
    assertEquals(1, before.effect().unsupportedShare());
    for (int i = 0; i < 5000; i++) {
      MODEL.learn(arm, FeatureVector.of(1, i % 2, 0), .3 + .1 * (i % 2), i, workspace);
    }
    AuditFinding after = effects.finding(arm, LinearBlocks.SHARED, c, 2, 0, 1, .2);
    assertEquals(AuditVerdict.CERTIFIED_FAIR, after.verdict());
    assertEquals(.1, after.effect().estimate(), .01);
    double q = arm.squaredWidth(c);
    double radius = .1 * Math.sqrt(arm.logDeterminant() + 2 * Math.log(20)) + 1;
    assertEquals(2 * radius * Math.sqrt(q), after.effect().upper() - after.effect().lower(), 1e-12);
    assertTrue(after.effect().unsupportedShare() < .01);
    FeatureVector other = FeatureVector.of(0, 0, 1);
    AuditFinding unseen = effects.finding(arm, LinearBlocks.SHARED, other, 2, 0, 1, .2);
    assertEquals(1, unseen.effect().unsupportedShare(), 1e-9);
    assertEquals(AuditVerdict.NO_OVERLAP, unseen.verdict());
    AuditFinding none =
        effects.finding(arm, LinearBlocks.SHARED, new FeatureVector(3), 2, 0, 1, .2);
    assertEquals(0, none.effect().unsupportedShare());
  }

  /** A world of independent unit-variance noise: the bound must hold over all time. */
  @Test
  void theSelfNormalizedBoundHoldsOverTimeAsOftenAsItSays() {
    int runs = 400;
    int missed = 0;
    SplittableRandom seeds = new SplittableRandom(77);
    double[] theta = {.5, -.3, .2};
    Radius radius = new Radius.SelfNormalized(.5, 1, .05);
    for (int run = 0; run < runs; run++) {
      SplittableRandom random = seeds.split();
      RidgeRegression arm = MODEL.newArm();
      boolean isMissed = false;
      for (int t = 1; t <= 300 && !isMissed; t++) {
        double[] x = random.doubles(D, -1, 1).toArray();
        double mean = x[0] * theta[0] + x[1] * theta[1] + x[2] * theta[2];
        FeatureVector vector = FeatureVector.of(x);
        double reach = radius.of(arm, LinearBlocks.SHARED) * Math.sqrt(arm.squaredWidth(vector));
        isMissed = Math.abs(arm.mean(vector) - mean) > reach + 1e-12;
        MODEL.learn(arm, vector, mean + random.nextGaussian(0, .5), t, workspace);
      }
      missed += isMissed ? 1 : 0;
    }
    assertTrue(missed <= .05 * runs + 3 * Math.sqrt(.05 * .95 * runs), "missed " + missed);
    assertEquals(1 + Math.sqrt(Math.log(20) / 2), Radius.ofDelta(.1).of(MODEL.newArm(), 0), 1e-15);
    assertEquals(
        AuditGuarantee.APPROXIMATE, radius.guarantee(Forget.discount(.9)), "forgetting voids it");
    assertEquals(AuditGuarantee.PER_ROUND, Radius.ofDelta(.1).guarantee(Forget.NOTHING));
  }

  @Test
  void whatAMaskDropsIsNotSeen() {
    FeatureMask mask = FeatureMask.dropping(D, List.of(1, 0));
    assertEquals(List.of(0, 1), mask.dropped());
    Candidates masked = new Candidates(D, mask);
    masked.add(0, new double[] {1, 1, 1});
    assertEquals(0, masked.features(0).value(0));
    assertEquals(1, masked.features(0).value(2));
    assertEquals(1, masked.features(0).squaredNorm());
  }

  @Test
  void groupMeansForgetByDiscountByWindowAndByReset() {
    Forget window = Forget.rounds(2);
    GroupMeans recent = new GroupMeans(2, window);
    GroupMeans faded = new GroupMeans(2, Forget.discount(.5));
    for (int t = 1; t <= 5; t++) {
      recent.observe(0, t, t, window);
      faded.observe(0, t, t, Forget.discount(.5));
    }
    assertEquals(4.5, recent.mean(0), 1e-15);
    assertEquals((5 + 2 + .75 + .25 + .0625) / 1.9375, faded.mean(0), 1e-15);
    assertTrue(Double.isNaN(recent.mean(1)));
    for (GroupMeans means : new GroupMeans[] {recent, faded}) {
      ByteBuffer bytes = StoredBytes.of(means);
      assertEquals(means, StoredBytes.read(new GroupMeans(), bytes.flip()));
      GroupMeans copy = means.copy();
      assertEquals(means, copy);
      copy.reset();
      assertTrue(Double.isNaN(copy.mean(0)) && !Double.isNaN(means.mean(0)));
    }
  }
}
