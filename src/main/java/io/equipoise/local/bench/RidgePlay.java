package io.equipoise.local.bench;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.linear.Candidates;
import io.equipoise.bandit.linear.Explore;
import io.equipoise.bandit.linear.FeatureVector;
import io.equipoise.bandit.linear.LinearBlocks;
import io.equipoise.bandit.linear.LinearFairness;
import io.equipoise.bandit.linear.LinearIndex;
import io.equipoise.bandit.linear.LinearPolicy;
import io.equipoise.bandit.linear.LinearRound;
import io.equipoise.bandit.linear.Radius;
import io.equipoise.bandit.linear.RidgeArm;
import io.equipoise.bandit.linear.RidgeEffects;
import io.equipoise.bandit.linear.RidgeModel;
import io.equipoise.bandit.linear.RidgeWorkspace;
import io.equipoise.bandit.logistic.LogisticRequest;
import io.equipoise.bandit.logistic.LogisticRequest.Candidate;
import io.equipoise.lab.MemoryLinearBlocks;

/**
 * LinUCB with one theta for all candidates of the same requests, with the audit of every choice.
 */
final class RidgePlay implements LongPlay {
  private static final double TAU = 0.2;
  private static final Radius ALPHA = new Radius.Fixed(0.5);

  private final LogisticWorld world;
  private final LinearPolicy policy;
  private final RidgeEffects effects;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final LinearRound round;
  private final RidgeWorkspace workspace;
  private final FeatureVector difference;
  private final double[] moved;
  private final Draw draw = new Draw(0, "bench", "0");
  private long played;

  RidgePlay(LogisticWorld world) {
    this.world = world;
    RidgeModel model = RidgeModel.of(world.n, 1);
    policy =
        new LinearPolicy(
            model, true, new LinearIndex.Ucb(ALPHA), new LinearFairness.None(), Explore.NEVER);
    effects = new RidgeEffects(model, ALPHA, 1);
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(world.n);
    round = new LinearRound(world.n);
    workspace = new RidgeWorkspace(world.n);
    difference = new FeatureVector(world.n);
    moved = new double[world.n];
  }

  @Override
  public void round() {
    LogisticRequest request = world.next();
    candidates.clear();
    for (int arm = 0; arm < request.candidates().size(); arm++) {
      candidates.add(arm, request.candidates().get(arm).x());
    }
    int chosen = policy.choose(blocks, candidates, ++played, draw, round);
    Candidate candidate = request.candidates().get(chosen);
    audit(request, candidate);
    double reward = world.reward(candidate.x());
    policy.learn(blocks, chosen, candidates.features(chosen), 0, reward, played, workspace);
  }

  private void audit(LogisticRequest request, Candidate candidate) {
    for (LogisticRequest.Alternative other : request.alternatives().get(0)) {
      double[] counterfactual = candidate.counterfactuals()[0][0];
      for (int i = 0; i < moved.length; i++) {
        moved[i] = counterfactual[i] - candidate.x()[i];
      }
      difference.set(moved);
      effects.finding(
          ridge(),
          LinearBlocks.SHARED,
          difference,
          other.attribute(),
          other.factual(),
          other.counterfactual(),
          TAU);
    }
  }

  private RidgeArm ridge() {
    return blocks.ridge(LinearBlocks.SHARED);
  }

  @Override
  public int stateBytes() {
    return ridge().byteLength();
  }

  @Override
  public boolean isFinite() {
    for (int feature = 0; feature < world.n; feature++) {
      if (!Double.isFinite(ridge().theta(feature))) {
        return false;
      }
    }
    return true;
  }
}
