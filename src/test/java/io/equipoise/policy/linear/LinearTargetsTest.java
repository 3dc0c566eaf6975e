package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;

import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.constraint.EarnState;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.ExploreSpec;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** One target at a time over ridge regressions of single arms. */
class LinearTargetsTest {
  private static final String FEATURES =
      ", model: shared, alpha: 0.45, features: [intercept, one-hot: X, one-hot: S, one-hot: A,"
          + " product: [one-hot: S, one-hot: A]], explore: {share: 0.5,"
          + " over: all}";

  /** Blocks of arms with models of their own, in memory. */
  private static final class Models implements LinearBlocks {
    private final RidgeRegression[] arms;
    private final EarnState state = new EarnState();

    Models(RidgeModel model, int arms) {
      this.arms = new RidgeRegression[arms];
      Arrays.setAll(this.arms, arm -> model.newArm());
    }

    @Override
    public RidgeRegression ridge(int arm) {
      return arms[arm];
    }

    @Override
    public GroupMeans groups(int arm) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PolicyState state() {
      return new PolicyState();
    }

    @Override
    public EarnState earning() {
      return state;
    }

    @Override
    public void changed(int arm) {}

    @Override
    public void stateChanged() {}
  }

  /** Arm 0 has an effect near tau, known well; arm 1 is unknown, until it turns out unfair. */
  @Test
  void anArmSetAsideComesBackWhenAllOthersAreDecided() {
    RidgeModel model = RidgeModel.of(2, 1);
    RidgeEffects effects = new RidgeEffects(model, new Radius.Fixed(1), 1);
    LinearRule rule =
        new LinearRule(
            model,
            false,
            new LinearIndex.Ucb(new Radius.Fixed(.45)),
            LinearFixture.hard(effects, .1),
            ExploreSpec.toward(ExploreSpec.Over.BALANCED));
    Models models = new Models(model, 2);
    RidgeWorkspace workspace = new RidgeWorkspace(2);
    teach(model, models.ridge(0), 1000, .08, workspace);
    teach(model, models.ridge(1), 3, 0, workspace);
    Candidates candidates = new Candidates(2);
    LinearRound out = new LinearRound(2);
    for (int t = 1; t <= 62; t++) {
      choose(rule, models, candidates, t, out);
    }
    assertThat(models.state.target()).as("while arm 0 is aside").isEqualTo(1);
    teach(model, models.ridge(1), 3000, .5, workspace);
    choose(rule, models, candidates, 63, out);
    assertThat(models.state.target()).as("arm 1 is unfair").isZero();
    assertThat(out.propensity[0]).isEqualTo(1);
  }

  private static void teach(
      RidgeModel model, RidgeRegression arm, int pairs, double effect, RidgeWorkspace workspace) {
    for (int i = 0; i < pairs; i++) {
      model.learn(arm, FeatureVector.of(1, 0), .5, 1, workspace);
      model.learn(arm, FeatureVector.of(1, 1), .5 + effect, 1, workspace);
    }
  }

  private static void choose(
      LinearRule rule, LinearBlocks blocks, Candidates candidates, int t, LinearRound out) {
    candidates.clear();
    for (int arm = 0; arm < 2; arm++) {
      candidates.add(arm, new double[] {1, 0});
      candidates.addWorld(new double[] {1, 1});
    }
    rule.choose(blocks, candidates, t, new SeededRandom(1, "s", "d" + t), out);
  }

  /** S has three levels, so one arm has three contrasts and both have nine but for those alike. */
  @Test
  void theEllipsoidIsToldOfWhereItBoundsWhatIsBeyondTheLimit() {
    SpecVariant spec = SpecVariant.of("linucb" + FEATURES).levels("S", "a", "b", "c");
    assertThat(((LinearPolicy) TestSpecs.compiled(spec.text()).policy()).isEllipsoidLeft())
        .isFalse();
    spec.fairness("tau: 0.2, delta: 0.05, certificates: {contrasts: 5}");
    assertThat(((LinearPolicy) TestSpecs.compiled(spec.text()).policy()).isEllipsoidLeft())
        .isTrue();
  }
}
