package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.segmentspec.ExploreSpec;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is taken where the hard constraint, or the screen, admits nobody. */
class LinearFallbackTest extends LinearFixture {
  /** Arm 0 pays one of two groups more; the others pay all the same, and better. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anArmThatIsKnownToBeUnfairGivesWayToThoseOfWhichLessIsKnown(boolean isHard) {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalized(.5, 1, .05), 1);
    LinearFairness fairness = isHard ? hard(effects, .2) : screen(effects, .2, .5, 100);
    LinearRule policy = policy(UCB, fairness, ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    SplittableRandom random = new SplittableRandom(6);
    int[] counts = new int[3];
    int last = 0;
    for (int t = 1; t <= 4000; t++) {
      int group = random.nextInt(2);
      double[][] x = {{1, 0, 0}, {0, 1, 0}};
      candidates.clear();
      for (int arm = 0; arm < 3; arm++) {
        candidates.add(arm, x[group]);
        candidates.addWorld(x[1 - group]);
      }
      int chosen = policy.choose(blocks, candidates, t, DRAW, round);
      counts[chosen]++;
      last = round.fairSetSize == 0 ? t : last;
      double mean = chosen > 0 ? .7 : group == 0 ? .8 : .2;
      double reward = random.nextDouble() < mean ? 1 : 0;
      policy.learn(blocks, chosen, candidates.features(chosen), group, reward, t, workspace);
      if (t == 9) {
        assertTrue(IntStream.of(counts).allMatch(count -> count > 0), "each is tried at first");
      }
    }
    assertTrue(counts[0] < 400, counts[0] + " of arm 0");
    assertTrue(last < 2000, "the last fallback is round " + last);
  }

  @Test
  void theHardConstraintFallsBackOnWhatMayBeFairThoughItsUpperEndIsGreater() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalized(.1, 1, .05), 1);
    LinearRule policy = policy(UCB, hard(effects, .2), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    for (int i = 0; i < 300; i++) {
      policy.learn(blocks, 0, FeatureVector.of(1, 0, 0), 0, .6, 1, workspace);
      policy.learn(blocks, 0, FeatureVector.of(0, 1, 0), 0, 0, 1, workspace);
    }
    candidates.clear();
    for (int arm = 0; arm < 2; arm++) {
      candidates.add(arm, new double[] {1, 0, 0});
      candidates.addWorld(new double[] {0, 1, 0});
    }
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertTrue(round.effect[0] < round.effect[1]);
    assertEquals(0, round.fairSetSize);
  }

  /** No data would narrow it. */
  @Test
  void anArmWhoseEffectIsHiddenIsTheLastFallback() {
    RidgeEffects effects = new RidgeEffects(MODEL, new Radius.SelfNormalized(.5, 1, .05), 1);
    LinearRule policy = policy(UCB, hard(effects, .2), ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    candidates.clear();
    candidates.add(0, new double[] {1, 0, 0});
    candidates.addHiddenEffect();
    candidates.add(1, new double[] {1, 0, 0});
    candidates.addWorld(new double[] {0, 1, 0});
    assertEquals(1, policy.choose(blocks, candidates, 1, DRAW, round));
    assertEquals(round.effect[0], round.effect[1], "both as wide as the range of rewards");
  }
}
