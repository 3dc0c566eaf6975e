package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DecisionReason;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ExcludedArm;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.CandidateScores;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.DualPenalty.Cost;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.constraint.Selection;
import io.equipoise.policy.constraint.ShrinkingScreen;
import io.equipoise.policy.linear.GroupBalancer.AdaptiveGamma;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fairness parts of linear policies. */
class LinearFairnessTest extends LinearFixture {
  /** A worked example: widths .4 .2 .3, means .7 .65 .6, Delta .3 -.25 0. */
  @Test
  void theGroupBalanceTermIsThatOfTheExample() {
    LinearRule policy = policy(UCB, balance(3), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    GroupMeans totals = blocks.groups(LinearBlocks.SHARED);
    totals.observe(0, .4, 1, Forget.NOTHING);
    totals.observe(1, .5, 1, Forget.NOTHING);
    double[][] means = {{.5, .2}, {.2, .45}, {.3, .3}};
    for (int arm = 0; arm < 3; arm++) {
      blocks.groups(arm).observe(0, means[arm][0], 1, Forget.NOTHING);
      blocks.groups(arm).observe(1, means[arm][1], 1, Forget.NOTHING);
    }
    offer(new double[] {.4, 0, 0}, new double[] {.2, 0, 0}, new double[] {.3, 0, 0});
    assertEquals(0, policy.choose(blocks, candidates, 3, DRAW, round));
    double[] index = {.5 * .4, .5 * .2, .5 * .3};
    double[] term = {.195, .1125, .15};
    for (int arm = 0; arm < 3; arm++) {
      assertEquals(index[arm] + term[arm], round.score[arm], 1e-12);
    }
    assertEquals(3, round.gamma());
  }

  @Test
  void anArmIsNeutralUntilBothSidesSawIt() {
    LinearRule policy = policy(UCB, balance(2), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    policy.learn(blocks, 0, FeatureVector.of(1, 0, 0), 0, .9, 1, workspace);
    offer(new double[] {0, 0, 1}, new double[] {0, 0, 1});
    policy.choose(blocks, candidates, 2, DRAW, round);
    assertEquals(round.score[1], round.score[0], 1e-12);
    assertThrows(
        IllegalArgumentException.class,
        () -> policy.learn(blocks, 0, FeatureVector.of(1, 0, 0), 2, .9, 1, workspace));
  }

  @Test
  void manyValuesAreWeighedByArrivalsAndThoseNeverSeenAreLeftOut() {
    SensitiveGroups groups = SensitiveGroups.of(1, 1, -1, 0);
    LinearFairness.GroupBalance part =
        new LinearFairness.GroupBalance(groups, new Gamma.Fixed(1), Forget.NOTHING);
    LinearRule policy = policy(UCB, part, ExploreSpec.NEVER);
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
    assertEquals(theta0 + .5 * width0 + .5 * width0 / 2 * (1 - apart0), round.score[0], 1e-12);
    assertEquals(theta1 + .5 * width1 + .5 * width0 / 2 * (1 - apart1), round.score[1], 1e-12);
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
    LinearRule policy = policy(UCB, hard(effects, .3), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 1});
    candidates.addWorld(new double[] {1, 0, 0});
    candidates.add(1, new double[] {.5, 0, 0});
    candidates.addWorld(new double[] {.5, .2, 0});
    candidates.addWorld(new double[] {.5, .1, 0});
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertFalse(round.toChoice().certified(), "the norm alone certifies nothing");
    for (int i = 0; i < 4; i++) {
      policy.learn(blocks, 1, FeatureVector.of(0, 1, 0), 0, 0, 1, workspace);
    }
    assertEquals(1, policy.choose(blocks, candidates, 5, DRAW, round));
    Choice choice = round.toChoice();
    assertTrue(choice.certified());
    assertEquals(1, choice.fairSetSize());
    assertEquals(0, Objects.requireNonNull(choice.excluded()).arm());
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 1});
    candidates.addWorld(new double[] {1, 0, 0});
    candidates.add(1, new double[] {.5, 0, 0});
    candidates.addWorld(new double[] {.5, .8, 0});
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertFalse(round.toChoice().certified());
    assertEquals(DecisionReason.UNCERTIFIED, round.reason);
    assertEquals(0, round.toChoice().fairSetSize());
  }

  /** Of all candidates a draw leaves none for its effect; of the fair ones it leaves the others. */
  @Test
  void whatIsExploredLeavesWhatIsBetterPaidAndWasKeptOutOfTheDraw() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 1);
    LinearFairness hard = hard(effects, .3);
    candidates.clear();
    double[][] features = {{.1, 0, 0}, {.9, 0, 0}, {.4, 0, 0}, {.5, 0, 0}};
    for (int arm = 0; arm < features.length; arm++) {
      candidates.add(arm, features[arm]);
      candidates.addWorld(arm % 2 == 1 ? new double[] {features[arm][0], .8, 0} : features[arm]);
    }
    Map<ExploreSpec.Over, List<Integer>> expected =
        Map.of(
            ExploreSpec.Over.ALL, List.of(-1, -1, 1, -1), ExploreSpec.Over.FAIR_SET, List.of(1, 1));
    for (ExploreSpec.Over over : expected.keySet()) {
      LinearRule policy = policy(UCB, hard, new ExploreSpec(1, over));
      MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
      Map<Integer, Integer> left = new TreeMap<>();
      for (int i = 0; i < 100; i++) {
        policy.choose(blocks, candidates, 1, new SeededRandom(3, "s", "d" + i), round);
        Choice choice = round.toChoice();
        ExcludedArm excluded = choice.excluded();
        assertEquals(choice.arm() != 2, choice.explored());
        left.put(choice.arm(), excluded == null ? -1 : excluded.arm());
      }
      assertEquals(expected.get(over), List.copyOf(left.values()), over.name());
    }
  }

  @Test
  void whatIsExploredAmongTheFairLeavesWhatTheRulesChoiceWouldNot() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 1);
    LinearFairness hard = hard(effects, .3);
    candidates.clear();
    candidates.add(0, new double[] {.1, 0, 0});
    candidates.add(1, new double[] {.4, 0, 0});
    candidates.addWorld(new double[] {.4, .8, 0});
    candidates.add(2, new double[] {.9, 0, 0});
    LinearRule policy = policy(UCB, hard, new ExploreSpec(1, ExploreSpec.Over.FAIR_SET));
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    Set<Integer> drawn = new TreeSet<>();
    for (int i = 0; i < 30; i++) {
      policy.choose(blocks, candidates, 1, new SeededRandom(3, "s", "d" + i), round);
      ExcludedArm excluded = round.toChoice().excluded();
      assertEquals(round.chosen == 0, excluded != null && excluded.arm() == 1);
      drawn.add(round.chosen);
    }
    assertEquals(Set.of(0, 2), drawn);
  }

  @Test
  void theLeverageIsTheVarianceOfTheEffectInUnitsOfOneReward() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 2);
    LinearRule policy = policy(UCB, new LinearFairness.None(), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    for (int i = 0; i < 40; i++) {
      policy.learn(blocks, 0, FeatureVector.of(1, 0, 0), 0, .5, 1, workspace);
      policy.learn(blocks, 0, FeatureVector.of(0, .5, 0), 0, .5, 1, workspace);
    }
    FeatureVector c = FeatureVector.of(-1, 1, 0);
    EffectFinding auditEffect = effects.finding(blocks.ridge(0), 0, c, 0, 0, 1, .1).effect();
    double ofUnsupported = MODEL.newArm().squaredWidth(FeatureVector.of(1, 0, 0));
    double rho = 1 / ofUnsupported;
    assertEquals(
        1 / (rho + 40) + 1 / (rho + 40 * .25),
        Objects.requireNonNull(auditEffect.leverage()),
        1e-12);
  }

  @Test
  void theDualVariableRisesWhileEffectsExceedTauAndFallsAfter() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.Fixed(1), 2);
    LinearRule policy = policy(UCB, dual(effects, .1, 5, Cost.UPPER_END), ExploreSpec.NEVER);
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
    ByteBuffer bytes = StoredBytes.of(state);
    assertEquals(state, StoredBytes.read(new PolicyState(), bytes.flip()));
    assertEquals(state, state.copy());
  }

  /** What refutes fairness of the first arm does not refute it of the tenth. */
  @Test
  void theScreenLeavesAnArmOutWhereTheIntervalOfItsOwnShareExceedsTau() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalized(1, 0, .2), 100);
    LinearRule policy = policy(UCB, screen(effects, .5, 100, 5), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    for (int arm : new int[] {0, 9}) {
      teach(policy, blocks, arm, 5, 1, 0, 0);
      candidates.clear();
      candidates.add(arm, new double[] {1, 0, 0});
      candidates.addWorld(new double[] {0, 0, 0});
      policy.choose(blocks, candidates, 1, DRAW, round);
      assertEquals(arm == 0 ? 0 : 1, round.fairSetSize, "arm " + arm);
    }
  }

  /** The part that knows no model is the oracle. With the wide slack only low ends screen. */
  @ParameterizedTest
  @ValueSource(doubles = {.6, 3})
  void theScreenSelectsAsItsModelFreePartDoes(double width) {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalized(.1, 1, .05), 2);
    double tau = .25;
    LinearRule policy = policy(UCB, screen(effects, tau, width, 5), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    DualPenalty penalty = penalty(tau, 5, Cost.ESTIMATE);
    ShrinkingScreen screen = new ShrinkingScreen(penalty, width);
    DualBlock duals = new DualBlock(1);
    for (int i = 0; i < 200; i++) {
      policy.learn(blocks, 2, FeatureVector.of(0, 1, 0), 0, .5, 1, workspace);
    }
    SplittableRandom random = new SplittableRandom(41);
    int fallbacks = 0;
    int screened = 0;
    for (int t = 1; t <= 600; t++) {
      candidates.clear();
      double[][] there = new double[4][];
      for (int arm = 0; arm < 4; arm++) {
        double[] here = {random.nextDouble(), 0, random.nextDouble() / 2};
        there[arm] = new double[] {here[0], random.nextInt(3) / 2.0, here[2]};
        candidates.add(arm, here);
        candidates.addWorld(there[arm]);
      }
      int chosen = policy.choose(blocks, candidates, t, DRAW, round);
      Selection expected = screen.select(prospects(blocks, effects), duals, 0);
      assertEquals(expected.candidate(), chosen, "round " + t);
      assertEquals(expected.allowed(), round.fairSetSize);
      duals.advance(penalty.next(prospects(blocks, effects), duals, chosen));
      assertEquals(duals.phi(0), blocks.state().dual(), 1e-12);
      fallbacks += expected.isFallback() ? 1 : 0;
      screened += expected.allowed() > 0 && expected.allowed() < 4 ? 1 : 0;
      FeatureVector x = candidates.features(chosen);
      double mean = .6 * x.value(0) + .2 * x.value(2) + (chosen == 1 ? .2 : 0);
      policy.learn(blocks, chosen, x, 0, mean, t, workspace);
      FeatureVector other = FeatureVector.of(there[chosen]);
      double moved = chosen == 2 ? .5 : .1;
      policy.learn(blocks, chosen, other, 0, mean + moved * there[chosen][1], t, workspace);
    }
    assertTrue(screened > 100 && (width > 1 || fallbacks > 5), fallbacks + " and " + screened);
  }

  private CandidateScores prospects(MemoryLinearBlocks blocks, RidgeEffects effects) {
    return new CandidateScores() {
      @Override
      public int candidates() {
        return candidates.size();
      }

      @Override
      public int constraints() {
        return 1;
      }

      @Override
      public double mean(int candidate) {
        return round.mean[candidate];
      }

      @Override
      public double optimistic(int candidate) {
        return round.index[candidate];
      }

      @Override
      public EffectSize effect(int candidate, int constraint) {
        RidgeRegression arm = blocks.ridge(candidate);
        FeatureVector c = candidates.effect(candidate, 0);
        double mean = arm.mean(c);
        double reach = effects.radius().of(arm, candidate) * Math.sqrt(arm.squaredWidth(c));
        return EffectSize.of(mean, mean - reach, mean + reach);
      }
    };
  }
}
