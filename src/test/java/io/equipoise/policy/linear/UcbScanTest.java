package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Leaving candidates out must not change a choice, whatever the features and the forgetting. */
class UcbScanTest {
  private static final int RUNS = Tier.count(30, 300);
  private static final int ROUNDS = 250;
  private static final SeededRandom DRAW = new SeededRandom(1, "s", "d");

  private static double[] features(SplittableRandom random, int dimension, int kind) {
    double[] x = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      boolean isSet = kind == 0 || random.nextInt(4) == 0;
      x[i] = !isSet ? 0 : kind == 2 ? 1 : random.nextGaussian();
    }
    return x;
  }

  /** A run of the scan beside one that scores all; returns how many widths the scan left out. */
  private static long sameChoices(long seed, RidgeModel model, boolean isShared, int kind) {
    SplittableRandom random = new SplittableRandom(seed);
    int d = model.dimension();
    double alpha = random.nextDouble();
    Radius radius =
        seed % 2 == 0 ? new Radius.Fixed(alpha) : new Radius.SelfNormalized(alpha / 4, .1, .05);
    LinearIndex ucb = new LinearIndex.Ucb(radius);
    LinearFairness none = new LinearFairness.None();
    LinearRule scan = new LinearRule(model, isShared, ucb, none, ExploreSpec.NEVER);
    LinearRule full =
        new LinearRule(model, isShared, new LinearIndex.Clipped(ucb), none, ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(scan);
    LinearRound fast = new LinearRound(d);
    LinearRound slow = new LinearRound(d);
    Candidates candidates = new Candidates(d);
    long leftOut = 0;
    for (int t = 1; t <= ROUNDS; t++) {
      candidates.clear();
      int arms = 1 + random.nextInt(12);
      for (int k = 0; k < arms; k++) {
        candidates.add(random.nextInt(8), features(random, d, kind));
      }
      if (random.nextBoolean()) {
        candidates.add(1, Arrays.copyOf(candidates.features(0).values(), d));
      }
      String hint = "seed " + seed + ", round " + t;
      int chosen = scan.choose(blocks, candidates, t, DRAW, fast);
      assertEquals(full.choose(blocks, candidates, t, DRAW, slow), chosen, hint);
      assertEquals(slow.score[chosen], fast.score[chosen], hint);
      assertEquals(slow.reason, fast.reason, hint);
      leftOut += candidates.size() - fast.visited();
      double reward = random.nextDouble() + candidates.arm(chosen) * .3;
      FeatureVector x = candidates.features(chosen);
      scan.learn(blocks, candidates.arm(chosen), x, 0, reward, t, fast.workspace);
    }
    return leftOut;
  }

  @Test
  void theChoiceIsThatOfScoringAllBitForBit() {
    long leftOut = 0;
    for (int run = 0; run < RUNS; run++) {
      int d = 15 + 17 * (run % 3);
      Forget forgetting =
          run % 5 == 3 ? Forget.discount(.98) : run % 5 == 4 ? Forget.rounds(50) : Forget.NOTHING;
      RidgeModel model = new RidgeModel(d, run % 2 == 0 ? 1 : .1, forgetting);
      leftOut += sameChoices(1000 + run, model, run % 4 == 1, run % 3);
    }
    assertTrue(leftOut > 10L * RUNS, "only " + leftOut + " were left out: no test of it");
  }

  /** The rule may have left out what exploration then plays: its score is computed all the same. */
  @Test
  void whatExplorationPlaysHasItsScore() {
    int d = 15;
    LinearIndex ucb = new LinearIndex.Ucb(new Radius.Fixed(.1));
    LinearFairness none = new LinearFairness.None();
    ExploreSpec explore = new ExploreSpec(.5, ExploreSpec.Over.ALL);
    RidgeModel model = RidgeModel.of(d, 1);
    LinearRule scan = new LinearRule(model, false, ucb, none, explore);
    LinearRule full = new LinearRule(model, false, new LinearIndex.Clipped(ucb), none, explore);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(scan);
    LinearRound fast = new LinearRound(d);
    LinearRound slow = new LinearRound(d);
    Candidates candidates = new Candidates(d);
    SplittableRandom random = new SplittableRandom(41);
    int scoredAfterwards = 0;
    for (int t = 1; t <= 400; t++) {
      candidates.clear();
      candidates.addAll(6, features(random, d, 0));
      SeededRandom seededRandom = new SeededRandom(1, "s", "d" + t);
      int chosen = scan.choose(blocks, candidates, t, seededRandom, fast);
      assertEquals(full.choose(blocks, candidates, t, seededRandom, slow), chosen, "round " + t);
      assertEquals(slow.toChoice().index(), fast.toChoice().index(), "round " + t);
      assertEquals(slow.toChoice().width(), fast.toChoice().width(), "round " + t);
      int finite = 0;
      for (int place = 0; place < 6; place++) {
        finite += Double.isFinite(fast.score[place]) ? 1 : 0;
      }
      scoredAfterwards += finite > fast.visited() ? 1 : 0;
      FeatureVector x = candidates.features(chosen);
      scan.learn(blocks, chosen, x, 0, random.nextDouble() + chosen, t, fast.workspace);
    }
    assertTrue(scoredAfterwards > 50, "only " + scoredAfterwards + ": no test of it");
  }

  /** The oracle: an explicit inverse for every decision, all candidates, a double loop. */
  @Test
  void theChoiceIsThatOfThePlainDoubleLoop() {
    int d = 16;
    int arms = 6;
    LinearIndex ucb = new LinearIndex.Ucb(new Radius.Fixed(.4));
    LinearFairness none = new LinearFairness.None();
    for (int kind = 0; kind < 3; kind++) {
      SplittableRandom random = new SplittableRandom(500 + kind);
      LinearRule policy = new LinearRule(RidgeModel.of(d, 1), false, ucb, none, ExploreSpec.NEVER);
      MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
      LinearRound round = new LinearRound(d);
      Candidates candidates = new Candidates(d);
      List<PlainRidge> plain = new ArrayList<>();
      for (int arm = 0; arm < arms; arm++) {
        plain.add(new PlainRidge(d, 1));
      }
      for (int t = 1; t <= 400; t++) {
        double[] x = features(random, d, kind);
        candidates.clear();
        candidates.addAll(arms, x);
        int chosen = policy.choose(blocks, candidates, t, DRAW, round);
        assertEquals(plainChoice(plain, x, .4), chosen, "kind " + kind + ", round " + t);
        double reward = random.nextDouble() * (1 + chosen) + x[chosen];
        policy.learn(blocks, chosen, candidates.features(chosen), 0, reward, t, round.workspace);
        plain.get(chosen).observe(x, reward, 1);
      }
    }
  }

  private static int plainChoice(List<PlainRidge> plain, double[] x, double alpha) {
    double[] score = new double[plain.size()];
    double greatest = Double.NEGATIVE_INFINITY;
    for (int arm = 0; arm < score.length; arm++) {
      double[][] inverse = plain.get(arm).inverse();
      double q = PlainRidge.quadratic(inverse, x, x);
      score[arm] = plain.get(arm).mean(inverse, x) + alpha * Math.sqrt(q);
      greatest = Math.max(greatest, score[arm]);
    }
    int chosen = 0;
    while (score[chosen] < greatest - 1e-9) {
      chosen++;
    }
    return chosen;
  }
}
