package io.equipoise.lab;

import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.Gamma;
import io.equipoise.policy.linear.LinearFairness.GroupBalance;
import io.equipoise.policy.linear.LinearIndex;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.policy.linear.SensitiveGroups;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Environment.SimulatedOutcome;
import io.equipoise.simulation.Environment.Twin;
import io.equipoise.simulation.Round;
import java.util.List;

/**
 * Plays Fair-LinUCB on Adult-Video, the baseline of Huang et al. 2022, Table 2: a theta for each
 * video, all attributes of person and video one-hot, with the settings that were fitted to its
 * regret.
 */
final class FairLinUcbPlayer implements Player {
  private static final double ALPHA = 0.6;
  private static final double LAMBDA = 1;
  private static final double GAMMA = 3;
  private static final int PRIVILEGED = 1;

  private final Environment environment;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final long seed;

  FairLinUcbPlayer(Environment environment, long seed) {
    this.environment = environment;
    this.seed = seed;
    int dimension = environment.indicators();
    LinearRule policy =
        new LinearRule(
            RidgeModel.of(dimension, LAMBDA),
            false,
            new LinearIndex.Ucb(new Radius.Fixed(ALPHA)),
            new GroupBalance(
                SensitiveGroups.of(-1, PRIVILEGED), new Gamma.Fixed(GAMMA), Forget.NOTHING),
            ExploreSpec.NEVER);
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(dimension);
  }

  @Override
  public int[] choose(int[] person, List<Twin> twins, long t) {
    SeededRandom random = new SeededRandom(seed, "fair-linucb", Long.toString(t));
    int[] arms = new int[1 + twins.size()];
    for (int i = 0; i < twins.size(); i++) {
      arms[1 + i] = choose(twins.get(i).context(), t, random);
    }
    arms[0] = choose(person, t, random);
    return arms;
  }

  private int choose(int[] context, long t, SeededRandom random) {
    candidates.clear();
    for (int arm = 0; arm < environment.arms(); arm++) {
      candidates.add(arm, environment.indicators(context, arm));
    }
    return blocks.choose(candidates, t, random);
  }

  @Override
  public boolean fellBack() {
    return false;
  }

  @Override
  public void learn(Round round, int arm, SimulatedOutcome answer, long t) {
    FeatureVector x = FeatureVector.of(environment.indicators(round.context(), arm));
    int group = environment.sensitive(round.context());
    blocks.learn(arm, x, group, answer.reward(), t);
  }
}
