package io.equipoise.policy.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.Tier;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One target at a time: chances, budget, and who is explored. */
class CertifyFirstTest {
  private static final String FEATURES =
      ", model: shared, alpha: 0.45, features: [intercept, one-hot: X, one-hot: S, one-hot: A,"
          + " product: [one-hot: S, one-hot: A]], explore: {share: 0.5%s}";
  private static final List<Candidate> ARMS =
      List.of(
          new Candidate("A=left", 0, Profile.of(0)), new Candidate("A=right", 1, Profile.of(1)));

  private final MemoryModelState blocks = new MemoryModelState();
  private final SplittableRandom random = new SplittableRandom(5);
  private int round;
  private int forced;
  private int certifiedRounds;

  private static Policy bandit(String constraint, String more) {
    String policy = "linucb, constraint: " + constraint + FEATURES.formatted(more);
    return TestSpecs.compiled(SpecVariant.of(policy).text()).bandit();
  }

  private static Request request(int s, int x) {
    return new Request(Profile.of(s, x), ARMS, true, 2);
  }

  private AuditedChoice decide(Policy bandit, int s, int x, String id) {
    return bandit.decide(
        blocks, request(s, x), round, new SeededRandom(3, "s", id), ClippedIndex.NONE);
  }

  /** Plays; the arms' means, and what each pays more to one value of S. */
  private AuditedChoice play(Policy bandit, int rounds, double[] means, double[] effects) {
    AuditedChoice last = null;
    for (int i = 0; i < rounds; i++) {
      round++;
      int s = random.nextInt(2);
      int x = random.nextInt(2);
      last = decide(bandit, s, x, "d" + round);
      assertThat(Arrays.stream(last.choice().propensities()).sum()).isCloseTo(1, within(1e-12));
      assertThat(last.choice().propensityKind()).isEqualTo(PropensityKind.EXACT);
      int arm = last.choice().arm();
      assertThat(last.choice().propensities()[arm]).isPositive();
      forced += last.choice().reason() == DecisionReason.FORCED_EXPLORATION ? 1 : 0;
      certifiedRounds += last.choice().fairSetSize() > 0 ? 1 : 0;
      double p = means[arm] + effects[arm] * (s - .5);
      double reward = random.nextDouble() < p ? 1 : 0;
      bandit.learn(
          blocks,
          new Experience(
              new int[] {s, x},
              bandit.inputs(request(s, x), arm),
              arm,
              arm,
              new int[] {-1},
              reward),
          round);
    }
    return Objects.requireNonNull(last);
  }

  /** Compares chances with frequencies, from one state, by Pearson's statistic. */
  private void assertChances(Policy bandit) {
    Map<Long, StateBlock> before = new HashMap<>();
    blocks.entries().forEach(entry -> before.put(entry.getKey(), entry.getValue().copy()));
    int draws = Tier.count(10_000, 100_000);
    round++;
    for (int s = 0; s < 2; s++) {
      int[] counts = new int[2];
      double[] chances = new double[0];
      for (int draw = 0; draw < draws; draw++) {
        before.forEach((key, block) -> blocks.put(key, block.copy()));
        AuditedChoice audited = decide(bandit, s, 0, s + "draw" + draw);
        chances = audited.choice().propensities();
        counts[audited.choice().arm()]++;
      }
      double statistic = 0;
      for (int arm = 0; arm < 2; arm++) {
        double expected = draws * chances[arm];
        assertThat(expected).as("chance of arm %d", arm).isGreaterThan(20);
        statistic += (counts[arm] - expected) * (counts[arm] - expected) / expected;
      }
      assertThat(statistic).as("chi-square, 1 degree").isLessThan(10.83);
    }
    before.forEach(blocks::put);
  }

  @Test
  void chancesAreTheFrequenciesWhileNothingIsCertified() {
    Policy bandit = bandit("hard", "");
    AuditedChoice last = play(bandit, 100, new double[] {.5, .5}, new double[] {0, 0});
    assertThat(last.choice().fairSetSize()).isZero();
    assertThat(last.choice().reason()).isEqualTo(DecisionReason.UNCERTIFIED);
    assertThat(Arrays.stream(last.choice().propensities()).max().orElseThrow())
        .isCloseTo(.975, within(1e-12));
    assertChances(bandit);
  }

  @Test
  void chancesAreTheFrequenciesWhileATargetIsTried() {
    Policy bandit = bandit("hard", "");
    AuditedChoice last = play(bandit, 60, new double[] {.4, .5}, new double[] {0, 0});
    while (last.choice().reason() != DecisionReason.FORCED_EXPLORATION) {
      last = play(bandit, 1, new double[] {.4, .5}, new double[] {0, 0});
    }
    assertThat(last.choice().explored()).isTrue();
    assertChances(bandit);
  }

  @Test
  void theFirstDecisionsGoByTurns() {
    Policy bandit = bandit("hard", "");
    for (int i = 0; i < 60; i++) {
      AuditedChoice audited = play(bandit, 1, new double[] {.2, .9}, new double[] {0, 0});
      assertThat(audited.choice().arm()).isEqualTo(i % 2);
      assertThat(audited.choice().propensities()[i % 2]).isEqualTo(1);
    }
  }

  /** A second arm near tau takes more than a small budget, which is spent to the last decision. */
  @Test
  void theBudgetIsSpentExactly() {
    Policy bandit = bandit("hard", ", budget: 40");
    play(bandit, 6000, new double[] {.5, .5}, new double[] {0, .1});
    assertThat(certifiedRounds).isGreaterThan(1000);
    assertThat(forced).isEqualTo(40);
    CertifyState state = (CertifyState) Objects.requireNonNull(blocks.get((2L << 32) + 1));
    assertThat(state.spent()).isEqualTo(40);
  }

  @Test
  void anUnfairArmIsNeverExplored() {
    Policy bandit = bandit("hard", ", floor: 0.2");
    double[] means = {.5, .6};
    double[] effects = {0, .6};
    AuditedChoice early = play(bandit, 61, means, effects);
    assertThat(early.choice().propensities()[1]).isPositive();
    play(bandit, 5000, means, effects);
    ContrastBlock contrasts = (ContrastBlock) Objects.requireNonNull(blocks.get(4L << 32));
    boolean isUnfair = false;
    for (int i = 0; i < contrasts.size(); i++) {
      Contrast contrast = contrasts.at(i);
      isUnfair |= Math.max(contrast.lower(), -contrast.upper()) > .2;
    }
    assertThat(isUnfair).isTrue();
    for (int i = 0; i < 300; i++) {
      AuditedChoice audited = play(bandit, 1, means, effects);
      assertThat(audited.choice().propensities()[1]).isZero();
    }
  }

  @Test
  void aScreenCertifiesFirstToo() {
    Policy bandit = bandit("screen", "");
    play(bandit, 3000, new double[] {.5, .55}, new double[] {0, 0});
    assertThat(blocks.get((2L << 32) + 1)).isInstanceOf(CertifyState.class);
    assertThat(forced).isPositive();
  }

  @Test
  void theStateGoesThroughBytesAndBadOnesAreRefused() {
    Policy bandit = bandit("hard", "");
    play(bandit, 200, new double[] {.4, .5}, new double[] {0, 0});
    CertifyState state = (CertifyState) Objects.requireNonNull(blocks.get((2L << 32) + 1));
    ByteBuffer bytes = ByteBuffer.allocate(state.byteLength());
    state.appendTo(bytes);
    assertThat(bytes.remaining()).isZero();
    assertThat(CertifyState.readFrom(bytes.flip())).isEqualTo(state);
    assertThat(state.copy()).isEqualTo(state);
    for (int cut : new int[] {0, 10, 24, state.byteLength() - 1}) {
      assertThatThrownBy(
              () -> CertifyState.readFrom(ByteBuffer.wrap(bytes.array(), 0, cut).slice()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Blocks of arms with models of their own, in memory. */
  private static final class Models implements LinearBlocks {
    private final RidgeRegression[] arms;
    private final CertifyState state = new CertifyState();

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
    public CertifyState certifying() {
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
            new Explore(.5, Explore.Over.CERTIFY_FIRST, 1000, .01));
    Models models = new Models(model, 2);
    RidgeWorkspace workspace = new RidgeWorkspace(2);
    teach(model, models.ridge(0), 1000, .08, workspace);
    teach(model, models.ridge(1), 3, 0, workspace);
    Candidates candidates = new Candidates(2);
    LinearRound out = new LinearRound(2);
    for (int t = 1; t <= 62; t++) {
      choose(rule, models, candidates, t, out);
    }
    assertThat(models.state.target).as("while arm 0 is aside").isEqualTo(1);
    teach(model, models.ridge(1), 3000, .5, workspace);
    choose(rule, models, candidates, 63, out);
    assertThat(models.state.target).as("arm 1 is unfair").isZero();
    assertThat(out.propensity(0)).isEqualTo(1);
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
    SpecVariant spec =
        SpecVariant.of("linucb" + FEATURES.formatted(", over: all")).levels("S", "a", "b", "c");
    assertThat(((LinearPolicy) TestSpecs.compiled(spec.text()).bandit()).isEllipsoidLeft())
        .isFalse();
    spec.fairness("tau: 0.2, delta: 0.05, certificates: {contrasts: 5}");
    assertThat(((LinearPolicy) TestSpecs.compiled(spec.text()).bandit()).isEllipsoidLeft())
        .isTrue();
  }

  @Test
  void onlyWhatLeavesCandidatesOutCertifiesFirst() {
    assertThatThrownBy(
            () ->
                TestSpecs.compiled(
                    SpecVariant.of("linucb, explore: {share: 0.5, over: certify-first}").text()))
        .hasMessageContaining("certify first");
    assertThatThrownBy(
            () ->
                TestSpecs.compiled(
                    SpecVariant.of("linucb, explore: {share: 0.5, over: all, budget: 3}").text()))
        .hasMessageContaining("certify-first");
  }
}
