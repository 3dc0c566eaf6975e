package io.equipoise.lab;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.linear.Candidates;
import io.equipoise.bandit.linear.Explore;
import io.equipoise.bandit.linear.FeatureVector;
import io.equipoise.bandit.linear.Forgetting;
import io.equipoise.bandit.linear.Gamma;
import io.equipoise.bandit.linear.LinearFairness.GroupBalance;
import io.equipoise.bandit.linear.LinearIndex;
import io.equipoise.bandit.linear.LinearPolicy;
import io.equipoise.bandit.linear.LinearRound;
import io.equipoise.bandit.linear.MemoryLinearBlocks;
import io.equipoise.bandit.linear.Radius;
import io.equipoise.bandit.linear.RidgeModel;
import io.equipoise.bandit.linear.RidgeWorkspace;
import io.equipoise.bandit.linear.SensitiveGroups;
import java.util.Arrays;
import java.util.List;

/**
 * Fair-LinUCB on Adult-Video, the baseline of Huang et al. 2022, Table 2: a theta for each video,
 * all attributes of person and video one-hot, with the settings that were fitted to its regret.
 */
final class FairLinUcbTrial {
  private static final double ALPHA = 0.6;
  private static final double LAMBDA = 1;
  private static final double GAMMA = 3;
  private static final int PRIVILEGED = 1;

  private final Environment environment;
  private final int dimension;
  private final LinearPolicy policy;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final LinearRound out;
  private final RidgeWorkspace workspace;

  private FairLinUcbTrial(Environment environment) {
    this.environment = environment;
    dimension = environment.indicators();
    policy =
        new LinearPolicy(
            RidgeModel.of(dimension, LAMBDA),
            false,
            new LinearIndex.Ucb(new Radius.Fixed(ALPHA)),
            new GroupBalance(
                SensitiveGroups.of(-1, PRIVILEGED), new Gamma.Fixed(GAMMA), Forgetting.NOTHING),
            Explore.NEVER);
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(dimension);
    out = new LinearRound(dimension);
    workspace = new RidgeWorkspace(dimension);
  }

  static Trial run(Environment environment, List<Round> rounds, double[] taus, long seed) {
    return new FairLinUcbTrial(environment).play(rounds, taus, seed);
  }

  private Trial play(List<Round> rounds, double[] taus, long seed) {
    double[] regret = new double[rounds.size()];
    int[] unfair = new int[taus.length];
    int[] twin = new int[taus.length];
    double sum = 0;
    for (int t = 1; t <= regret.length; t++) {
      Round round = rounds.get(t - 1);
      int[] context = round.context();
      int[] other = environment.twin(context);
      Draw draw = new Draw(seed, "fair-linucb", Integer.toString(t));
      int otherArm = choose(other, t, draw);
      int arm = choose(context, t, draw);
      double[] means = environment.means(context);
      double apart = means[arm] - environment.means(other)[otherArm];
      double effect = environment.effect(context, arm);
      for (int i = 0; i < taus.length; i++) {
        unfair[i] += Math.abs(effect) > taus[i] ? 1 : 0;
        twin[i] += Math.abs(apart) > taus[i] ? 1 : 0;
      }
      sum += Arrays.stream(means).max().orElseThrow() - means[arm];
      regret[t - 1] = sum;
      FeatureVector x = FeatureVector.of(environment.indicators(context, arm));
      double reward = environment.answer(round, arm).reward();
      policy.learn(blocks, arm, x, environment.sensitive(context), reward, t, workspace);
    }
    return new Trial(regret, unfair, twin, 0);
  }

  private int choose(int[] context, long t, Draw draw) {
    candidates.clear();
    for (int arm = 0; arm < environment.arms(); arm++) {
      candidates.add(arm, environment.indicators(context, arm));
    }
    return policy.choose(blocks, candidates, t, draw, out);
  }
}
