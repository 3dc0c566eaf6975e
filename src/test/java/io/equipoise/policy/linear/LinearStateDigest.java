package io.equipoise.policy.linear;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/** Plays rounds of many kinds and prints the digest of all that was learned and chosen. */
final class LinearStateDigest {
  private static final int[] DIMENSIONS = {1, 3, 4, 7, 12, 20, 39, 40, 41, 50};
  private static final int ROUNDS = 2500;

  private LinearStateDigest() {}

  public static void main(String[] none) {
    System.out.println(digest());
  }

  static String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (int d : DIMENSIONS) {
        for (int kind = 0; kind < 3; kind++) {
          for (Forget forgetting :
              new Forget[] {Forget.NOTHING, Forget.discount(.99), Forget.rounds(40)}) {
            int rounds = forgetting.isNothing() ? ROUNDS : 150;
            play(new RidgeModel(d, .5, forgetting), kind, rounds, digest);
          }
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void play(RidgeModel model, int kind, int rounds, MessageDigest digest) {
    int d = model.dimension();
    LinearRule policy =
        new LinearRule(
            model,
            false,
            new LinearIndex.Ucb(new Radius.SelfNormalized(.5, 1, .05)),
            new LinearFairness.None(),
            ExploreSpec.NEVER);
    MemoryLinearBlocks blocks = new MemoryLinearBlocks(policy);
    Candidates candidates = new Candidates(d);
    LinearRound round = new LinearRound(d);
    SplittableRandom random = new SplittableRandom(d * 10L + kind);
    SeededRandom seededRandom = new SeededRandom(1, "s", "d");
    for (int t = 1; t <= rounds; t++) {
      candidates.clear();
      for (int arm = 0; arm < 2; arm++) {
        candidates.add(arm, features(random, d, kind));
      }
      int chosen = policy.choose(blocks, candidates, t, seededRandom, round);
      double reward = random.nextDouble() + .2 * chosen;
      FeatureVector x = candidates.features(chosen);
      policy.learn(blocks, chosen, x, 0, reward, t, round.workspace);
      digest.update((byte) chosen);
    }
    blocks.digestInto(digest);
  }

  /** Dense, one of ten set to 1, or by turns. */
  private static double[] features(SplittableRandom random, int d, int kind) {
    double[] x = new double[d];
    boolean isDense = kind == 0 || (kind == 2 && random.nextBoolean());
    for (int i = 0; i < d; i++) {
      x[i] = isDense ? random.nextGaussian() : random.nextInt(10) == 0 ? 1 : 0;
    }
    return x;
  }
}
