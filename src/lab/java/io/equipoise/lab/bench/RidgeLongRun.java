package io.equipoise.lab.bench;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.FeatureVector;
import io.equipoise.policy.linear.LinearBlocks;
import io.equipoise.policy.linear.LinearFairness;
import io.equipoise.policy.linear.LinearIndex;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.Radius;
import io.equipoise.policy.linear.RidgeEffects;
import io.equipoise.policy.linear.RidgeModel;
import io.equipoise.policy.linear.RidgeRegression;
import io.equipoise.policy.logistic.LogisticRequest;
import io.equipoise.policy.logistic.LogisticRequest.EncodedCandidate;
import io.equipoise.segmentspec.ExploreSpec;

/**
 * Runs LinUCB with one theta for all candidates on the same requests, with an audit of every
 * choice.
 */
final class RidgeLongRun implements LongRounds.Model {
  private static final double TAU = 0.2;
  private static final Radius ALPHA = new Radius.Fixed(0.5);

  private final LogisticWorld world;
  private final RidgeEffects effects;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final FeatureVector difference;
  private final double[] moved;
  private final SeededRandom seededRandom = new SeededRandom(0, "bench", "0");
  private long played;

  RidgeLongRun(LogisticWorld world) {
    this.world = world;
    RidgeModel model = RidgeModel.of(world.n, 1);
    LinearRule policy =
        new LinearRule(
            model, true, new LinearIndex.Ucb(ALPHA), new LinearFairness.None(), ExploreSpec.NEVER);
    effects = new RidgeEffects(model, ALPHA, 1);
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(world.n);
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
    int chosen = blocks.choose(candidates, ++played, seededRandom);
    EncodedCandidate encodedCandidate = request.candidates().get(chosen);
    audit(request, encodedCandidate);
    double reward = world.reward(encodedCandidate.x());
    blocks.learn(chosen, candidates.features(chosen), 0, reward, played);
  }

  private void audit(LogisticRequest request, EncodedCandidate encodedCandidate) {
    for (LogisticRequest.Alternative other : request.alternatives().get(0)) {
      double[] counterfactual = encodedCandidate.counterfactuals()[0][0];
      for (int i = 0; i < moved.length; i++) {
        moved[i] = counterfactual[i] - encodedCandidate.x()[i];
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

  private RidgeRegression ridge() {
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
