package io.equipoise.policy.linear;

import com.sun.management.ThreadMXBean;
import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.DualPenalty.Cost;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Plays ordinary rounds under each kind of fairness, and prints for each how many bytes a round has
 * allocated: once a first turn has grown what grows, in the first turn that allocates next to
 * nothing, or in the last one before patience ends.
 */
final class SteadyRounds {
  /** What reading the counter, and a refresh once in a thousand rounds of an arm, may allocate. */
  static final double NEXT_TO_NOTHING = 16;

  private static final int TURN = 900;
  private static final int DIMENSION = 12;
  private static final int ARMS = 5;
  private static final SeededRandom DRAW = new SeededRandom(1, "s", "d");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final LinearRule policy;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates = new Candidates(DIMENSION);
  private final LinearRound round = new LinearRound(DIMENSION);
  private final double[][] contexts = new double[64][DIMENSION];
  private int played;

  private SteadyRounds(LinearRule policy) {
    this.policy = policy;
    blocks = new MemoryLinearBlocks(policy);
    SplittableRandom random = new SplittableRandom(3);
    for (int c = 0; c < contexts.length; c++) {
      for (int i = 0; i < DIMENSION; i++) {
        boolean isSet = c % 3 == 0 || random.nextInt(4) == 0;
        contexts[c][i] = !isSet ? 0 : c % 3 == 2 ? 1 : random.nextGaussian();
      }
    }
  }

  /** Prints; takes the seconds of patience. */
  public static void main(String[] arguments) {
    long patience = 1_000_000_000L * Integer.parseInt(arguments[0]);
    LinearIndex ucb = new LinearIndex.Ucb(new Radius.SelfNormalized(.5, 1, .05));
    RidgeModel model = RidgeModel.of(DIMENSION, 1);
    RidgeEffects effects = new RidgeEffects(model, new Radius.Fixed(1), 1);
    for (LinearFairness fairness :
        List.of(
            new LinearFairness.None(),
            new LinearFairness.GroupBalance(
                SensitiveGroups.of(1, -1), new Gamma.Adaptive(), Forget.NOTHING),
            LinearFixture.hard(effects, .5),
            LinearFixture.dual(effects, .5, 5, Cost.ESTIMATE))) {
      LinearRule policy = new LinearRule(model, false, ucb, fairness, ExploreSpec.NEVER);
      double bytes = new SteadyRounds(policy).bytesARound(patience);
      System.out.println(fairness.getClass().getSimpleName() + " " + bytes);
    }
  }

  private double bytesARound(long patience) {
    long deadline = System.nanoTime() + patience;
    play();
    double bytes;
    do {
      long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      play();
      long after = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
      bytes = (after - before) / (double) TURN;
    } while (bytes >= NEXT_TO_NOTHING && System.nanoTime() < deadline);
    return bytes;
  }

  private void play() {
    for (int turn = 0; turn < TURN; turn++) {
      int t = ++played;
      candidates.clear();
      for (int arm = 0; arm < ARMS; arm++) {
        candidates.add(arm, contexts[(t + arm) % contexts.length]);
        candidates.addWorld(contexts[(t + arm + 1) % contexts.length]);
      }
      int chosen = policy.choose(blocks, candidates, t, DRAW, round);
      FeatureVector x = candidates.features(chosen);
      policy.learn(blocks, chosen, x, t % 2, (t % 7) * .1, t, round.workspace);
    }
  }
}
