package io.equipoise.bandit.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.bandit.Draw;

/** Small linear policies and what their tests do with them. */
abstract class LinearFixture {
  static final int D = 3;
  static final RidgeModel MODEL = RidgeModel.of(D, 1);
  static final LinearIndex UCB = new LinearIndex.Ucb(new Radius.Fixed(.5));
  static final LinearFairness NONE = new LinearFairness.None();
  static final Draw DRAW = new Draw(1, "s", "d1");

  final RidgeWorkspace workspace = new RidgeWorkspace(D);
  final LinearRound round = new LinearRound(D);
  final Candidates candidates = new Candidates(D);

  static LinearPolicy policy(LinearIndex index, LinearFairness fairness, Explore explore) {
    return new LinearPolicy(MODEL, false, index, fairness, explore);
  }

  static LinearFairness.GroupBalance balance(double gamma) {
    return new LinearFairness.GroupBalance(
        SensitiveGroups.of(1, -1), new Gamma.Fixed(gamma), Forgetting.NOTHING);
  }

  void offer(double[]... features) {
    candidates.clear();
    for (int arm = 0; arm < features.length; arm++) {
      assertEquals(Admission.ADMITTED, candidates.add(arm, features[arm]));
    }
  }

  void teach(LinearPolicy policy, LinearBlocks blocks, int arm, double reward, double... x) {
    policy.learn(blocks, arm, FeatureVector.of(x), 0, reward, 1, workspace);
  }
}
