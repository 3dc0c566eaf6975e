package io.equipoise.bandit.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.Choice;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.PropensityKind;
import io.equipoise.bandit.Why;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.fairness.Guarantee;
import io.equipoise.fairness.Verdict;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinearPolicyTest {
  private static final int D = 3;
  private static final RidgeModel MODEL = RidgeModel.of(D, 1);
  private static final LinearIndex UCB = new LinearIndex.Ucb(new Radius.Fixed(.5));
  private static final LinearFairness NONE = new LinearFairness.None();
  private static final Draw DRAW = new Draw(1, "s", "d1");

  private final RidgeWorkspace workspace = new RidgeWorkspace(D);
  private final LinearRound round = new LinearRound(D);
  private final Candidates candidates = new Candidates(D);

  private static LinearPolicy policy(LinearIndex index, LinearFairness fairness, Explore explore) {
    return new LinearPolicy(MODEL, false, index, fairness, explore);
  }

  private static LinearFairness.GroupBalance balance(double gamma) {
    return new LinearFairness.GroupBalance(
        SensitiveGroups.of(1, -1), new Gamma.Fixed(gamma), Forgetting.NOTHING);
  }

  private void offer(double[]... features) {
    candidates.clear();
    for (int arm = 0; arm < features.length; arm++) {
      assertEquals(Admission.ADMITTED, candidates.add(arm, features[arm]));
    }
  }

  private void teach(
      LinearPolicy policy, LinearBlocks blocks, int arm, double reward, double... x) {
    policy.learn(blocks, arm, FeatureVector.of(x), 0, reward, 1, workspace);
  }

  @Test
  void theScoreIsMeanPlusAlphaTimesWidthAndTiesGoToTheFirst() {
    LinearPolicy policy = policy(UCB, NONE, Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    offer(new double[] {1, 0, 0}, new double[] {1, 0, 0}, new double[] {1, 0, 0});
    assertEquals(0, policy.choose(blocks, candidates, 1, DRAW, round));
    teach(policy, blocks, 0, .2, 1, 0, 0);
    assertEquals(1, policy.choose(blocks, candidates, 2, DRAW, round));
    assertEquals(.1 + .5 * Math.sqrt(.5), round.score(0), 1e-15);
    assertEquals(.5, round.score(1), 1e-15);
    Choice choice = round.toChoice();
    assertEquals(Why.EXPLORE, choice.why());
    assertEquals(PropensityKind.DETERMINISTIC, choice.propensityKind());
    assertArrayEquals(new double[] {0, 1, 0}, choice.propensities());
    assertNull(choice.foregone());
  }

  @Test
  void aSharedThetaLearnsForAllArms() {
    LinearPolicy policy = new LinearPolicy(MODEL, true, UCB, NONE, Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    teach(policy, blocks, 7, 1, 1, 0, 0);
    offer(new double[] {0, 1, 0}, new double[] {1, 0, 0});
    policy.choose(blocks, candidates, 1, DRAW, round);
    assertEquals(0, round.mean(0));
    assertEquals(.5, round.mean(1));
  }

  @Test
  void candidatesMayComeAndGoAndAVanishedArmMayStillBeRewarded() {
    LinearPolicy policy = policy(UCB, NONE, Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    offer(new double[] {1, 0, 0});
    policy.choose(blocks, candidates, 1, DRAW, round);
    candidates.clear();
    assertEquals(LinearRound.NONE, policy.choose(blocks, candidates, 2, DRAW, round));
    assertThrows(IllegalStateException.class, round::toChoice);
    teach(policy, blocks, 0, 1, 1, 0, 0);
    candidates.add(905, new double[] {0, 1, 0});
    assertEquals(Admission.WRONG_DIMENSION, candidates.add(906, new double[] {0, 1}));
    assertEquals(Admission.TOO_LARGE, candidates.add(906, new double[] {0, 1e300, 0}));
    assertEquals(Admission.NOT_FINITE, candidates.add(906, new double[] {0, Double.NaN, 0}));
    assertEquals(1, candidates.size());
    candidates.add(0, new double[] {1, 0, 0});
    assertEquals(1, policy.choose(blocks, candidates, 3, DRAW, round));
    assertEquals(.5, round.mean(1), "the reward of the arm while it was gone");
  }

  /** The specification's numbers: widths .4 .2 .3, means .7 .65 .6, Delta .3 -.25 0. */
  @Test
  void theGroupBalanceTermIsThatOfTheExample() {
    LinearPolicy policy = policy(UCB, balance(3), Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    GroupMeans totals = blocks.groups(LinearBlocks.SHARED);
    totals.observe(0, .4, 1, Forgetting.NOTHING);
    totals.observe(1, .5, 1, Forgetting.NOTHING);
    double[][] means = {{.5, .2}, {.2, .45}, {.3, .3}};
    for (int arm = 0; arm < 3; arm++) {
      blocks.groups(arm).observe(0, means[arm][0], 1, Forgetting.NOTHING);
      blocks.groups(arm).observe(1, means[arm][1], 1, Forgetting.NOTHING);
    }
    offer(new double[] {.4, 0, 0}, new double[] {.2, 0, 0}, new double[] {.3, 0, 0});
    assertEquals(0, policy.choose(blocks, candidates, 3, DRAW, round));
    double[] index = {.5 * .4, .5 * .2, .5 * .3};
    double[] term = {.195, .1125, .15};
    for (int arm = 0; arm < 3; arm++) {
      assertEquals(index[arm] + term[arm], round.score(arm), 1e-12);
    }
    assertEquals(3, round.gamma());
  }

  @Test
  void anArmIsNeutralUntilBothSidesSawIt() {
    LinearPolicy policy = policy(UCB, balance(2), Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    policy.learn(blocks, 0, FeatureVector.of(1, 0, 0), 0, .9, 1, workspace);
    offer(new double[] {0, 0, 1}, new double[] {0, 0, 1});
    policy.choose(blocks, candidates, 2, DRAW, round);
    assertEquals(round.score(1), round.score(0), 1e-12);
    assertThrows(
        IllegalArgumentException.class,
        () -> policy.learn(blocks, 0, FeatureVector.of(1, 0, 0), 2, .9, 1, workspace));
  }

  @Test
  void manyValuesAreWeighedByArrivalsAndThoseNeverSeenAreLeftOut() {
    SensitiveGroups groups = SensitiveGroups.of(1, 1, -1, 0);
    LinearFairness.GroupBalance part =
        new LinearFairness.GroupBalance(groups, new Gamma.Fixed(1), Forgetting.NOTHING);
    LinearPolicy policy = policy(UCB, part, Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    FeatureVector x = FeatureVector.of(1, 0, 0);
    int[] values = {0, 1, 1, 1, 2, 3};
    double[] rewards = {.2, .6, .8, .4, .1, 1};
    for (int i = 0; i < values.length; i++) {
      policy.learn(blocks, 0, x, values[i], rewards[i], i + 1, workspace);
    }
    policy.learn(blocks, 1, x, 1, .7, 9, workspace);
    policy.learn(blocks, 1, x, 2, .1, 9, workspace);
    offer(new double[] {1, 0, 0}, new double[] {1, 0, 0});
    policy.choose(blocks, candidates, 10, DRAW, round);
    double apart0 = (1 * .2 + 4 * .6) / 5 - .1;
    double apart1 = .7 - .1;
    double width0 = Math.sqrt(1 / 7.0);
    double width1 = Math.sqrt(1 / 3.0);
    double theta0 = (.2 + .6 + .8 + .4 + .1 + 1) / 7;
    double theta1 = .8 / 3;
    assertEquals(theta0 + .5 * width0 + .5 * width0 / 2 * (1 - apart0), round.score(0), 1e-12);
    assertEquals(theta1 + .5 * width1 + .5 * width0 / 2 * (1 - apart1), round.score(1), 1e-12);
    assertEquals(5, SensitiveGroups.crossProduct(List.of(2, 3), 1, 2));
    assertThrows(IllegalArgumentException.class, () -> SensitiveGroups.of(1, 0));
  }

  @Test
  void theAdaptiveGammaGrowsWhileASideIsAheadAndIsBounded() {
    PolicyState state = new PolicyState();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 400; i++) {
      AdaptiveGamma.observe(state, i % 2 == 0 ? 1 : -1, i % 2 == 0 ? .8 : .5);
    }
    assertEquals(AdaptiveGamma.LARGEST, state.debt(), 1e-9);
    for (int i = 0; i < 40; i++) {
      AdaptiveGamma.observe(state, i % 2 == 0 ? 1 : -1, i % 2 == 0 ? .5 : .8);
    }
    assertTrue(state.debt() < AdaptiveGamma.LARGEST - 3, "worked off: " + state.debt());
    PolicyState balanced = new PolicyState();
    double worst = 0;
    for (int i = 0; i < 2000; i++) {
      AdaptiveGamma.observe(balanced, 0, random.nextDouble());
      worst = Math.max(worst, Math.abs(balanced.debt()));
    }
    assertEquals(0, worst, "those of neither side do not count");
  }

  @Test
  void theHardConstraintTakesCertifiedCandidatesOnlyElseTheLeastBad() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 1);
    LinearPolicy policy =
        policy(UCB, new LinearFairness.HardConstraint(effects, .3), Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 1});
    candidates.addWorld(new double[] {1, 0, 0});
    candidates.add(1, new double[] {.5, 0, 0});
    candidates.addWorld(new double[] {.5, .2, 0});
    candidates.addWorld(new double[] {.5, .1, 0});
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    Choice choice = round.toChoice();
    assertTrue(choice.certified());
    assertEquals(1, choice.fairSetSize());
    assertEquals(0, choice.foregone());
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 1});
    candidates.addWorld(new double[] {1, 0, 0});
    candidates.add(1, new double[] {.5, 0, 0});
    candidates.addWorld(new double[] {.5, .8, 0});
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertFalse(round.toChoice().certified());
    assertEquals(Why.FALLBACK, round.why());
    assertEquals(0, round.toChoice().fairSetSize());
  }

  @Test
  void theDualVariableRisesWhileEffectsExceedTauAndFallsAfter() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 2);
    LinearPolicy policy =
        policy(UCB, new LinearFairness.DualPenalty(effects, .1, 0, 5, true), Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    for (int t = 1; t <= 40; t++) {
      candidates.clear();
      candidates.add(0, new double[] {1, 0, 0});
      candidates.addWorld(new double[] {1, 1, 0});
      candidates.add(1, new double[] {.5, 0, 0});
      candidates.addWorld(new double[] {.5, 0, 0});
      int chosen = policy.choose(blocks, candidates, t, DRAW, round);
      double before = blocks.state().dual();
      if (t == 1) {
        assertEquals(0, chosen);
        assertEquals(5 / 100.0 * (1 - .1), before, 1e-15);
      }
    }
    assertTrue(blocks.state().dual() > .2 && blocks.state().dual() < .35);
    PolicyState state = blocks.state();
    ByteBuffer bytes = ByteBuffer.allocate(state.byteLength());
    state.appendTo(bytes);
    assertEquals(state, PolicyState.readFrom(bytes.flip()));
    assertEquals(state, state.copy());
  }

  @Test
  void anIndexIsClippedIntoPriorBounds() {
    LinearPolicy policy = policy(new LinearIndex.Clipped(UCB), NONE, Explore.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 0});
    candidates.bound(0, .3);
    candidates.add(1, new double[] {.1, 0, 0});
    candidates.bound(.35, 1);
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertEquals(.3, round.score(0));
    assertEquals(.35, round.score(1));
    assertThrows(IllegalArgumentException.class, () -> candidates.bound(1, 0));
  }

  @Test
  void exploringHappensWithTheSharesItSays() {
    LinearPolicy policy = policy(new LinearIndex.Mean(), NONE, new Explore(.3, Explore.Over.ALL));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    teach(policy, blocks, 1, 1, 1, 0, 0);
    offer(new double[] {1, 0, 0}, new double[] {1, 0, 0}, new double[] {1, 0, 0});
    int[] counts = new int[3];
    int decisions = 20_000;
    for (int i = 0; i < decisions; i++) {
      counts[policy.choose(blocks, candidates, 1, new Draw(3, "s", "d" + i), round)]++;
    }
    assertEquals(PropensityKind.EXACT, round.propensityKind());
    double[] expected = {.1, .8, .1};
    for (int place = 0; place < 3; place++) {
      assertEquals(expected[place], round.propensity(place), 1e-15);
      double error = Math.sqrt(expected[place] * (1 - expected[place]) / decisions);
      assertEquals(expected[place], counts[place] / (double) decisions, 4 * error);
    }
  }

  @Test
  void exploringOverTheFairSetNeverLeavesIt() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 1);
    LinearFairness hard = new LinearFairness.HardConstraint(effects, .3);
    LinearPolicy policy = policy(UCB, hard, new Explore(1, Explore.Over.FAIR_SET));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    for (int arm = 0; arm < 4; arm++) {
      candidates.add(arm, new double[] {1, 0, 0});
      candidates.addWorld(new double[] {1, arm % 2, 0});
    }
    int[] counts = new int[4];
    for (int i = 0; i < 1000; i++) {
      counts[policy.choose(blocks, candidates, 1, new Draw(3, "s", "d" + i), round)]++;
      assertTrue(round.toChoice().certified());
    }
    assertArrayEquals(new double[] {.5, 0, .5, 0}, round.toChoice().propensities());
    assertTrue(counts[0] > 400 && counts[2] > 400 && counts[1] + counts[3] == 0);
    assertThrows(
        IllegalArgumentException.class,
        () -> policy(UCB, NONE, new Explore(.1, Explore.Over.FAIR_SET)));
  }

  /** Two arms with independent posteriors: P(arm 1 wins) = Phi(difference / spread). */
  @Test
  void posteriorDrawsChooseAsOftenAsThePosteriorSays() {
    for (boolean isShared : new boolean[] {false, true}) {
      LinearPolicy policy =
          new LinearPolicy(MODEL, isShared, new LinearIndex.Posterior(1, 400), NONE, Explore.NEVER);
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
        Draw draw = new Draw(9, "s", "d" + i);
        won += policy.choose(blocks, candidates, 1, draw, round);
        estimated += round.propensity(1) / decisions;
        assertEquals(1, round.propensity(0) + round.propensity(1), 1e-9);
        assertTrue(round.propensity(round.chosen()) > 0);
      }
      assertEquals(PropensityKind.ESTIMATED, round.propensityKind());
      assertEquals(400, round.draws());
      assertEquals(expected, won / (double) decisions, .045, "shared " + isShared);
      assertEquals(expected, estimated, .01, "shared " + isShared);
    }
  }

  @Test
  void theSameDrawChoosesTheSameAndAnotherMayNot() {
    LinearPolicy policy =
        policy(new LinearIndex.Posterior(1, 1), NONE, new Explore(.2, Explore.Over.ALL));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    offer(new double[] {1, 0, 0}, new double[] {0, 1, 0}, new double[] {0, 0, 1});
    int differences = 0;
    for (int i = 0; i < 50; i++) {
      Draw draw = new Draw(9, "s", "d" + i);
      int first = policy.choose(blocks, candidates, 1, draw, round);
      assertEquals(first, policy.choose(blocks, candidates, 1, draw, round));
      differences += first == policy.choose(blocks, candidates, 1, DRAW, round) ? 0 : 1;
    }
    assertNotEquals(0, differences);
  }

  @Test
  void anEffectHasItsIntervalItsPriorShareAndItsVerdict() {
    RidgeArm arm = MODEL.newArm();
    FeatureVector c = FeatureVector.of(0, 1, 0);
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalised(.1, 1, .05), 1);
    AuditFinding before = effects.finding(arm, c, 2, 0, 1, .2);
    assertEquals(Verdict.UNCOVERED, before.verdict());
    assertEquals(Guarantee.ANYTIME, before.guarantee());
    assertEquals(1, before.effect().priorShare());
    for (int i = 0; i < 5000; i++) {
      MODEL.learn(arm, FeatureVector.of(1, i % 2, 0), .3 + .1 * (i % 2), i, workspace);
    }
    AuditFinding after = effects.finding(arm, c, 2, 0, 1, .2);
    assertEquals(Verdict.CERTIFIED_FAIR, after.verdict());
    assertEquals(.1, after.effect().estimate(), .01);
    double q = arm.squaredWidth(c);
    double radius = .1 * Math.sqrt(arm.logDeterminant() + 2 * Math.log(20)) + 1;
    assertEquals(2 * radius * Math.sqrt(q), after.effect().upper() - after.effect().lower(), 1e-12);
    assertTrue(after.effect().priorShare() < .01);
    AuditFinding unseen = effects.finding(arm, FeatureVector.of(0, 0, 1), 2, 0, 1, .2);
    assertEquals(1, unseen.effect().priorShare(), 1e-9);
    assertEquals(Verdict.UNCOVERED, unseen.verdict());
    assertEquals(0, effects.finding(arm, new FeatureVector(3), 2, 0, 1, .2).effect().priorShare());
  }

  /** A world of independent unit-variance noise: the bound must hold over all time. */
  @Test
  void theSelfNormalisedBoundHoldsOverTimeAsOftenAsItSays() {
    int runs = 400;
    int missed = 0;
    SplittableRandom seeds = new SplittableRandom(77);
    double[] theta = {.5, -.3, .2};
    Radius radius = new Radius.SelfNormalised(.5, 1, .05);
    for (int run = 0; run < runs; run++) {
      SplittableRandom random = seeds.split();
      RidgeArm arm = MODEL.newArm();
      boolean isMissed = false;
      for (int t = 1; t <= 300 && !isMissed; t++) {
        double[] x = random.doubles(D, -1, 1).toArray();
        double mean = x[0] * theta[0] + x[1] * theta[1] + x[2] * theta[2];
        FeatureVector vector = FeatureVector.of(x);
        double reach = radius.of(arm) * Math.sqrt(arm.squaredWidth(vector));
        isMissed = Math.abs(arm.mean(vector) - mean) > reach + 1e-12;
        MODEL.learn(arm, vector, mean + random.nextGaussian(0, .5), t, workspace);
      }
      missed += isMissed ? 1 : 0;
    }
    assertTrue(missed <= .05 * runs + 3 * Math.sqrt(.05 * .95 * runs), "missed " + missed);
    assertEquals(1 + Math.sqrt(Math.log(20) / 2), Radius.ofDelta(.1).of(MODEL.newArm()), 1e-15);
    assertEquals(
        Guarantee.APPROXIMATE, radius.guarantee(Forgetting.discount(.9)), "forgetting voids it");
    assertEquals(Guarantee.PAPER, Radius.ofDelta(.1).guarantee(Forgetting.NOTHING));
  }

  @Test
  void whatAMaskDropsIsNotSeen() {
    List<double[]> rows =
        List.of(
            new double[] {1, 1, 0},
            new double[] {0, 0, 0},
            new double[] {1, 1, 1},
            new double[] {0, 0, 1});
    FeatureMask mask = FeatureMask.correlated(rows, 0, 3, .3);
    assertEquals(List.of(0, 1), mask.dropped());
    Candidates masked = new Candidates(D, mask);
    masked.add(0, new double[] {1, 1, 1});
    assertEquals(0, masked.features(0).value(0));
    assertEquals(1, masked.features(0).value(2));
    assertEquals(1, masked.features(0).squaredNorm());
  }

  @Test
  void groupMeansForgetByDiscountByWindowAndByReset() {
    Forgetting window = Forgetting.window(2);
    GroupMeans recent = new GroupMeans(2, window);
    GroupMeans faded = new GroupMeans(2, Forgetting.discount(.5));
    for (int t = 1; t <= 5; t++) {
      recent.observe(0, t, t, window);
      faded.observe(0, t, t, Forgetting.discount(.5));
    }
    assertEquals(4.5, recent.mean(0), 1e-15);
    assertEquals((5 + 2 + .75 + .25 + .0625) / 1.9375, faded.mean(0), 1e-15);
    assertTrue(Double.isNaN(recent.mean(1)));
    for (GroupMeans means : new GroupMeans[] {recent, faded}) {
      ByteBuffer bytes = ByteBuffer.allocate(means.byteLength());
      means.appendTo(bytes);
      assertEquals(means, GroupMeans.readFrom(bytes.flip()));
      GroupMeans copy = means.copy();
      assertEquals(means, copy);
      copy.reset();
      assertTrue(Double.isNaN(copy.mean(0)) && !Double.isNaN(means.mean(0)));
    }
    assertThrows(UnsupportedOperationException.class, () -> recent.merge(faded));
    GroupMeans one = new GroupMeans(1, Forgetting.NOTHING);
    GroupMeans other = new GroupMeans(1, Forgetting.NOTHING);
    one.observe(0, 1, 1, Forgetting.NOTHING);
    other.observe(0, 4, 1, Forgetting.NOTHING);
    one.merge(other);
    assertEquals(2.5, one.mean(0));
  }
}
