package io.equipoise.policy.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.DualPenalty;
import io.equipoise.policy.constraint.DualPenalty.Cost;
import io.equipoise.policy.constraint.DualSchedule;
import io.equipoise.policy.constraint.EffectLimit;
import io.equipoise.policy.constraint.HardConstraint;
import io.equipoise.policy.constraint.Lagrangian;
import io.equipoise.policy.constraint.ShrinkingScreen;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.Forget;
import java.util.List;

/** Small linear policies and what their tests do with them. */
abstract class LinearFixture {
  static final int D = 3;
  static final RidgeModel MODEL = RidgeModel.of(D, 1);
  static final LinearIndex UCB = new LinearIndex.Ucb(new Radius.Fixed(.5));
  static final LinearFairness NONE = new LinearFairness.None();
  static final SeededRandom DRAW = new SeededRandom(1, "s", "d1");

  final RidgeWorkspace workspace = new RidgeWorkspace(D);
  final LinearRound round = new LinearRound(D);
  final Candidates candidates = new Candidates(D);

  static LinearRule policy(LinearIndex index, LinearFairness fairness, ExploreSpec explore) {
    return new LinearRule(MODEL, false, index, fairness, explore);
  }

  static LinearFairness hard(RidgeEffects effects, double tau) {
    return new LinearFairness.Limited(
        effects, new HardConstraint(List.of(new EffectLimit(tau, 0))));
  }

  static LinearFairness dual(RidgeEffects effects, double tau, double cap, Cost cost) {
    return new LinearFairness.Limited(effects, new Lagrangian(penalty(tau, cap, cost)));
  }

  static LinearFairness screen(RidgeEffects effects, double tau, double width, double cap) {
    return new LinearFairness.Limited(
        effects, new ShrinkingScreen(penalty(tau, cap, Cost.ESTIMATE), width));
  }

  static DualPenalty penalty(double tau, double cap, Cost cost) {
    return new DualPenalty(
        List.of(new EffectLimit(tau, 0)),
        cap,
        DualSchedule.of(DualSchedule.ScheduleKind.CAPPED),
        cost);
  }

  static LinearFairness.GroupBalance balance(double gamma) {
    return new LinearFairness.GroupBalance(
        SensitiveGroups.of(1, -1), new Gamma.Fixed(gamma), Forget.NOTHING);
  }

  void offer(double[]... features) {
    candidates.clear();
    for (int arm = 0; arm < features.length; arm++) {
      assertEquals(InputCheck.ADMITTED, candidates.add(arm, features[arm]));
    }
  }

  void teach(LinearRule policy, LinearBlocks blocks, int arm, double reward, double... x) {
    policy.learn(blocks, arm, FeatureVector.of(x), 0, reward, 1, workspace);
  }
}
