package io.equipoise.lab.bench;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.LinearFairness;
import io.equipoise.policy.linear.LinearIndex;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.segmentspec.ExploreSpec;

/**
 * Runs a workload with the library: LinUCB with a model for each arm and a fixed alpha.
 *
 * <p>A round checks the features of all candidates and chooses with means, propensities and reason.
 * Then it updates the chosen arm's state with the reward (G, b, A^-1, theta, log det A, their check
 * and refresh). It excludes encoding attributes, auditing effects, and state backends, which the
 * plain loop lacks too.
 */
final class LibraryLinUcb {
  static final double LAMBDA = 1;
  static final double ALPHA = 0.5;

  private final LinearWorkload workload;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final SeededRandom seededRandom = new SeededRandom(0, "bench", "0");
  private int played;

  LibraryLinUcb(LinearWorkload workload) {
    this.workload = workload;
    int d = workload.dimension;
    LinearRule policy =
        new LinearRule(
            RidgeModel.of(d, LAMBDA),
            false,
            new LinearIndex.Ucb(new Radius.Fixed(ALPHA)),
            new LinearFairness.None(),
            ExploreSpec.NEVER);
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(d);
  }

  /** Runs the next round; returns the chosen arm. */
  int next() {
    int place = played++ % workload.contexts.length;
    double[][] context = workload.contexts[place];
    candidates.clear();
    if (context.length == 1) {
      candidates.addAll(workload.arms, context[0]);
    } else {
      for (int arm = 0; arm < workload.arms; arm++) {
        candidates.add(arm, context[arm]);
      }
    }
    int chosen = blocks.choose(candidates, played, seededRandom);
    double reward = workload.rewards[place][chosen];
    blocks.learn(chosen, candidates.features(chosen), 0, reward, played);
    return chosen;
  }

  /** Returns for how many candidates of the last round a width was computed. */
  int visited() {
    return blocks.visited();
  }
}
