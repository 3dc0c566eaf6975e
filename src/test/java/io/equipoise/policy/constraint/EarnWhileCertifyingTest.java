package io.equipoise.policy.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.Tier;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.ExploreSpec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Earning while certifying, in each family: chances, budget, and who is explored. */
@Tag("slow")
class EarnWhileCertifyingTest {
  private static final List<Candidate> ARMS =
      List.of(
          new Candidate("A=left", 0, Profile.of(0)), new Candidate("A=right", 1, Profile.of(1)));
  private static final double[] ALIKE = {0, 0};
  private static final int NONE_FAIR = -1;

  private final MemoryModelState blocks = new MemoryModelState();
  private final SplittableRandom random = new SplittableRandom(5);
  private int round;
  private int forced;
  private int certifiedRounds;

  /** A policy with a hard constraint or a screen. */
  private enum Selective {
    RIDGES("linucb, model: shared, alpha: 0.45, constraint: hard" + features()),
    SCREENED_RIDGES("linucb, model: shared, alpha: 0.45, constraint: screen" + features()),
    CELLS("f-ucb"),
    SCREENED_CELLS("d-ucb, constraint: screen, ties: seeded"),
    LOGISTIC("screen, slack: 0, theta-norm: 4, ties: seeded" + features()),
    SCREENED_LOGISTIC("screen, slack: 0.1, theta-norm: 4" + features()),
    FORCED_LOGISTIC("forced-exploration, slack: 0, theta-norm: 4" + features());

    private final String policy;

    Selective(String policy) {
      this.policy = policy;
    }

    private static String features() {
      return ", features: [intercept, one-hot: S, one-hot: A, product: [one-hot: S, one-hot: A],"
          + " one-hot: X]";
    }

    Policy policy(String more) {
      return compiled(policy + ", explore: {over: balanced" + more + "}");
    }
  }

  private static Policy compiled(String policy) {
    return compiled(policy, "all");
  }

  private static Policy compiled(String policy, String arms) {
    return TestSpecs.compiled(
            """
            name: test
            version: 1
            segments: default
            seed: 11
            variables:
              S: {role: sensitive, levels: [a, b], missing: reject}
              X: {role: context, levels: [low, high], missing: reject}
              A: {role: action, levels: [left, right]}
              R: {role: reward}
            graph: "dag { S -> R; X -> R; A -> R }"
            arms: %s
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {tau: 0.2, delta: 0.05}
            join: {reward-window: 60s, dedup-window: 60s}
            """
                .formatted(arms, policy))
        .policy();
  }

  private static Request request(int s, int x) {
    return new Request(Profile.of(s, x), ARMS, true, 2);
  }

  private AuditedChoice decide(Policy policy, int s, int x, String id) {
    return policy.decide(blocks, request(s, x), round, draw(id), ClippedIndex.NONE);
  }

  private static SeededRandom draw(String id) {
    return new SeededRandom(3, "s", id);
  }

  private void learn(Policy policy, int s, int x, int arm, double reward) {
    double[] inputs = policy.inputs(request(s, x), arm);
    Experience experience =
        new Experience(new int[] {s, x}, inputs, arm, new int[] {arm}, arm, new int[0], reward);
    policy.learn(blocks, experience, round);
  }

  private EarnState state() {
    EarnState found = null;
    for (Map.Entry<Long, StateBlock> entry : blocks.entries()) {
      found = entry.getValue() instanceof EarnState state ? state : found;
    }
    return Objects.requireNonNull(found);
  }

  /** Plays; the arms' means, and what each pays more to one value of S. */
  private Choice play(Policy policy, int rounds, double[] means, double[] effects) {
    Choice last = null;
    for (int i = 0; i < rounds; i++) {
      round++;
      int s = random.nextInt(2);
      int x = random.nextInt(2);
      last = decide(policy, s, x, "d" + round).choice();
      assertThat(Arrays.stream(last.propensities()).sum()).isCloseTo(1, within(1e-12));
      assertThat(last.propensityKind()).isEqualTo(PropensityKind.EXACT);
      int arm = last.arm();
      assertThat(last.propensities()[arm]).isPositive();
      assertThat(last.reason().isWithoutCertificate()).isEqualTo(last.fairSetSize() == 0);
      assertThat(last.reason()).isNotEqualTo(DecisionReason.FALLBACK);
      forced += last.reason() == DecisionReason.FORCED_EXPLORATION ? 1 : 0;
      certifiedRounds += last.fairSetSize() > 0 ? 1 : 0;
      double p = means[arm] + effects[arm] * (s - .5);
      learn(policy, s, x, arm, random.nextDouble() < p ? 1 : 0);
    }
    return Objects.requireNonNull(last);
  }

  private Map<Long, StateBlock> copies() {
    Map<Long, StateBlock> copies = new HashMap<>();
    blocks.entries().forEach(entry -> copies.put(entry.getKey(), entry.getValue().copy()));
    return copies;
  }

  private void restore(Map<Long, StateBlock> copies) {
    copies.forEach((key, block) -> blocks.put(key, block.copy()));
  }

  /** Compares chances with frequencies, from one state, by Pearson's statistic. */
  private void assertChances(Policy policy) {
    Map<Long, StateBlock> before = copies();
    int draws = Tier.count(2_400, 100_000);
    round++;
    for (int s = 0; s < 2; s++) {
      int[] counts = new int[2];
      double[] chances = new double[0];
      for (int draw = 0; draw < draws; draw++) {
        restore(before);
        Choice choice = decide(policy, s, 0, s + "draw" + draw).choice();
        chances = choice.propensities();
        counts[choice.arm()]++;
      }
      double statistic = 0;
      for (int arm = 0; arm < 2; arm++) {
        double expected = draws * chances[arm];
        assertThat(expected).as("chance of arm %d", arm).isGreaterThan(5);
        statistic += (counts[arm] - expected) * (counts[arm] - expected) / expected;
      }
      assertThat(statistic).as("chi-square, 1 degree").isLessThan(10.83);
    }
    restore(before);
  }

  @ParameterizedTest
  @EnumSource
  void chancesAreTheFrequenciesWhileNothingIsCertified(Selective selective) {
    Policy policy = selective.policy("");
    Choice last = play(policy, 100, new double[] {.5, .5}, ALIKE);
    assertThat(last.fairSetSize()).isZero();
    assertThat(last.reason()).isEqualTo(DecisionReason.UNCERTIFIED);
    assertThat(Arrays.stream(last.propensities()).min().orElseThrow())
        .isGreaterThanOrEqualTo(.0025 - 1e-12);
    assertChances(policy);
  }

  @ParameterizedTest
  @EnumSource
  void chancesAreTheFrequenciesWhileATargetIsTried(Selective selective) {
    Policy policy = selective.policy("");
    double[] means = {.4, .5};
    Choice last = play(policy, 60, means, ALIKE);
    while (last.reason() != DecisionReason.FORCED_EXPLORATION) {
      last = play(policy, 1, means, ALIKE);
    }
    assertThat(last.explored()).isTrue();
    assertThat(last.excluded()).isNull();
    assertChances(policy);
  }

  @ParameterizedTest
  @EnumSource
  void theFirstDecisionsGoByTurns(Selective selective) {
    Policy policy = selective.policy("");
    for (int i = 0; i < 60; i++) {
      Choice choice = play(policy, 1, new double[] {.2, .9}, ALIKE);
      assertThat(choice.arm()).isEqualTo(i % 2);
      assertThat(choice.propensities()[i % 2]).isEqualTo(1);
      assertThat(choice.reason()).isEqualTo(DecisionReason.UNCERTIFIED);
    }
  }

  /** A second arm near tau takes more than a small budget, which is spent to the last decision. */
  @ParameterizedTest
  @EnumSource
  void theBudgetIsSpentExactly(Selective selective) {
    Policy policy = selective.policy(", budget: 40");
    play(policy, Tier.count(3_000, 6_000), new double[] {.5, .5}, new double[] {0, .1});
    assertThat(certifiedRounds).isGreaterThan(1000);
    if (selective != Selective.FORCED_LOGISTIC) { // whose rule forces explorations of its own
      assertThat(forced).isEqualTo(40);
    }
    assertThat(state().tried()).isEqualTo(40);
  }

  @ParameterizedTest
  @EnumSource
  void anUnfairArmIsNeverExplored(Selective selective) {
    Policy policy = selective.policy("");
    boolean isLinear = selective == Selective.RIDGES || selective == Selective.SCREENED_RIDGES;
    double[] means = isLinear ? new double[] {.5, .6} : new double[] {.5, .55};
    double[] effects = {0, isLinear ? .6 : .9};
    Choice early = play(policy, isLinear ? 61 : 2, means, effects);
    assertThat(early.propensities()[1]).isPositive();
    play(policy, isLinear ? 5000 : 3000, means, effects);
    assertThat(!isLinear || isKnownUnfair()).isTrue();
    for (int i = 0; i < 300; i++) {
      assertThat(play(policy, 1, means, effects).propensities()[1]).isZero();
    }
  }

  /** Whether a contrast of arm 1 lies wholly beyond tau. */
  private boolean isKnownUnfair() {
    ContrastBlock contrasts = (ContrastBlock) Objects.requireNonNull(blocks.get(4L << 32));
    return IntStream.range(0, contrasts.size())
        .mapToObj(contrasts::at)
        .anyMatch(contrast -> Math.max(contrast.lower(), -contrast.upper()) > .2);
  }

  /** Arm 0 has an effect near tau, known well; arm 1 is unknown, until it turns out unfair. */
  @ParameterizedTest
  @EnumSource
  void anArmSetAsideComesBackWhenAllOthersAreDecided(Selective selective) {
    Policy policy = selective.policy("");
    teach(policy, 0, 1500, .18);
    teach(policy, 1, 5, 0);
    Map<Long, StateBlock> taught = copies();
    for (round = 1; round <= 62; round++) {
      decide(policy, 0, 0, "d" + round);
    }
    assertThat(state().target()).as("while arm 0 is aside").isEqualTo(1);
    Map<Long, StateBlock> remembered = copies();
    remembered.values().removeIf(block -> !(block instanceof EarnState));
    restore(taught);
    restore(remembered);
    teach(policy, 1, 1500, .6);
    Choice choice = decide(policy, 0, 0, "last").choice();
    assertThat(state().target()).as("arm 1 is unfair").isZero();
    assertThat(choice.propensities()[0]).isEqualTo(1);
  }

  /** An open arm is ranked as for a person whose level nobody knows, a fair one by its index. */
  @ParameterizedTest
  @CsvSource({"-.5, .5, .5", "-.05, .05, .6", "-.2, .29, .55", "-.2, .31, .5"})
  void anOpenArmIsRankedBlindToTheLevel(double lower, double upper, double ranked) {
    EarnRound round = new EarnRound(1, new EarnRound.Terms(0, 1, .05, 1), new EarnState());
    round.candidate(0, 0, true, .5, .1);
    round.other(0, -.2, .5);
    round.effect(0, lower, upper, .1);
    round.compare(true);
    assertThat(round.blind[0]).isCloseTo(ranked, within(1e-12));
  }

  /**
   * By the closed form: J 2, delta .05, p 1/2, tau .1; contrasts have 0.9 x 4/5 of delta. Before
   * the first reward p is taken to be 1/2 whatever is predicted.
   */
  @ParameterizedTest
  @CsvSource({"0, .5", "100, 0"})
  void theForecastIsThatOfTheClosedForm(long decisions, double prediction) {
    EarnState state = new EarnState();
    state.decisions = decisions;
    EarnRound round = new EarnRound(1, new EarnRound.Terms(0, 1, .05, 2), state);
    round.candidate(0, 0, true, prediction, .1);
    round.unknownEffect(0, .1);
    double log = Math.log(4 / .036) + 1;
    double noise = Math.sqrt(1.07 / 4) * (Math.sqrt(2 * log) + .67);
    double root = (noise + Math.sqrt(noise * noise + .4 * log / 3)) / .2;
    assertThat(round.left[0]).isCloseTo(4 * root * root, within(1e-6));
    assertThat(round.whole[0]).isCloseTo(4 * root * root, within(1e-6));
  }

  /** The index prefers arm 1, and no reward decides an effect; each arm needs 1,890 at p 1/2. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anArmThatWaitsForEnoughRewardsIsNoTargetUnlessAllDo(boolean isSlow) {
    EarnState state = new EarnState();
    blocks.put(0, state);
    long[] playedBefore = new long[2];
    double[] means = {.5, .6};
    for (int t = 0; t < 12_000; t++) {
      EarnRound round = mixed(state, t, ExploreSpec.Over.EARN, means, NONE_FAIR, 1);
      if (t == 2_000 || t == 10_000) {
        assertThat(state.target()).as("target of decision %d", t).isEqualTo(isSlow ? 0 : 1);
        playedBefore[t / 10_000] = state.played(0);
      }
      if (!isSlow) {
        EarnState.end(blocks, 0, round.chosen());
      }
    }
    long last = state.played(0) - playedBefore[1];
    if (isSlow) {
      assertThat(state.information).as("an empty model says nothing").isLessThan(.26);
      assertThat(playedBefore[1] - playedBefore[0])
          .as("until it waits for enough")
          .isBetween(1_890L, 2_800L);
      assertThat(last).as("the least share").isBetween(150L, 250L);
    } else {
      assertThat(state.waiting(0) + state.waiting(1)).isZero();
      assertThat(last).as("no target").isLessThan(20);
    }
    for (long plays = state.waiting(0); plays > 0; plays--) {
      EarnState.end(blocks, 0, 0);
    }
    assertThat(state.waiting(0)).isZero();
    assertThat(mixed(state, 12_000, ExploreSpec.Over.EARN, means, NONE_FAIR, 1).left[0])
        .isLessThan(500);
  }

  /** Its forecast may be too small, and another target would make the first certificate later. */
  @Test
  void certifyKeepsItsTargetWhileRewardsAreOnTheWay() {
    EarnState state = new EarnState();
    double[] means = {.5, .6};
    for (int t = 0; t < 6_000; t++) {
      mixed(state, t, ExploreSpec.Over.CERTIFY, means, NONE_FAIR, 1);
    }
    assertThat(state.target()).isEqualTo(1);
    assertThat(state.waiting(1)).isGreaterThan(5_900);
  }

  /** Decides by predictions alone; all effects are unknown but those of a certified arm. */
  private static EarnRound mixed(
      EarnState state, int t, ExploreSpec.Over over, double[] means, int fair, double weight) {
    EarnRound round = new EarnRound(means.length, new EarnRound.Terms(0, 1, .05, 2), state);
    for (int arm = 0; arm < means.length; arm++) {
      round.candidate(arm, arm, true, means[arm], .01);
      if (arm != fair) {
        round.unknownEffect(arm, .1);
      }
    }
    double[] propensities = new double[means.length];
    propensities[Math.max(0, fair)] = 1;
    if (fair >= 0) {
      round.allow(fair);
    }
    new EarnRule(ExploreSpec.toward(over))
        .mix(state, round, Math.max(0, fair), propensities, arm -> weight, draw("d" + t));
    assertThat(Arrays.stream(propensities).sum()).isCloseTo(1, within(1e-12));
    EarnRule.settle(state, round, round.chosen());
    return round;
  }

  /** Arm 0 is certified; arm 1 is preferred by the blind index until its allowance is spent. */
  @Test
  void anAllowanceEndsTheTriesOfAnArmAndOnlyOfThatArm() {
    EarnState state = new EarnState();
    blocks.put(0, state);
    boolean[] isTried = new boolean[3];
    int first = 0;
    for (int t = 0; t < 40_000; t++) {
      double[] means = {.5, .7, .6};
      int chosen = mixed(state, t, ExploreSpec.Over.BALANCED, means, 0, .5).chosen();
      EarnState.end(blocks, 0, chosen);
      first += chosen == 1 ? 1 : 0;
      isTried[chosen] = true;
    }
    assertThat(first).isBetween(3000, 20_000);
    assertThat(isTried).containsOnly(true);
  }

  /** Teaches rewards of all people so that they pay one value of S more. */
  private void teach(Policy policy, int arm, int times, double effect) {
    double[] owed = new double[2];
    for (int i = 0; i < times; i++) {
      for (int s = 0; s < 2; s++) {
        owed[s] += .5 + effect * (s - .5);
        double reward = owed[s] >= 1 ? 1 : 0;
        owed[s] -= reward;
        learn(policy, s, i % 4 / 2, arm, reward);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsTakenIsRememberedAsIfItWasChosen(Selective selective) {
    Policy policy = selective.policy("");
    Choice last = play(policy, 60, new double[] {.4, .5}, ALIKE);
    while (last.reason() != DecisionReason.FORCED_EXPLORATION) {
      last = play(policy, 1, new double[] {.4, .5}, ALIKE);
    }
    Map<Long, StateBlock> before = copies();
    for (int i = 0; i < 40; i++) {
      restore(before);
      AuditedChoice decided = decide(policy, 0, 1, "taken" + i);
      EarnState after = state().copy();
      restore(before);
      PublishedChoice published = new PublishedChoice(decided.choice(), null);
      policy.decide(blocks, request(0, 1), round, draw("?"), ClippedIndex.NONE, published);
      assertThat(state()).isEqualTo(after);
    }
  }

  /** Arms over cells have their places in the spec, others positions in a segment's dictionary. */
  @ParameterizedTest
  @EnumSource(
      names = {"CELLS", "SCREENED_CELLS"},
      mode = EnumSource.Mode.EXCLUDE)
  void anArmWithoutAPositionIsPlayedAndNotRemembered(Selective selective) {
    Policy policy = selective.policy("");
    List<Candidate> fresh =
        ARMS.stream().map(arm -> new Candidate(arm.id(), -1, arm.arm())).toList();
    Request request = new Request(Profile.of(0, 0), fresh, true, 0);
    policy.decide(blocks, request, 1, draw("first"), ClippedIndex.NONE);
    assertThat(state().target()).isEqualTo(-1);
    assertThat(state().byteLength()).isEqualTo(EarnState.byteLength(0));
  }

  @Test
  void whatIsRememberedMovesWithTheArms() {
    Policy policy = Selective.CELLS.policy("");
    play(policy, 200, new double[] {.4, .5}, ALIKE);
    EarnState before = state().copy();
    EarnState moved = before.reordered(new int[] {1, -1, 0});
    assertThat(moved.target()).isEqualTo(before.target() == 0 ? 2 : 0);
    assertThat(moved.played(0)).isEqualTo(before.played(1));
    assertThat(moved.played(1)).isZero();
    assertThat(moved.mean(1)).isNaN();
    assertThat(moved.mean(2)).isEqualTo(before.mean(0));
    assertThat(moved.bonus(2)).isEqualTo(before.bonus(0));
    assertThat(moved.reordered(new int[] {2, 0})).isEqualTo(before);
    Policy other =
        compiled("f-ucb, explore: balanced", "[{id: r, A: right}, {id: A=left, A: left}]");
    assertThat(other.succeed(policy, blocks)).isEmpty();
    assertThat(state()).isEqualTo(before.reordered(new int[] {-1, 0}));
  }

  @Test
  void armsThatTheSpecNamesStayTheFallbackWhileNothingIsCertified() {
    Policy policy = compiled("f-ucb, safe: [{A: left}], explore: {over: balanced, budget: 30}");
    for (int i = 0; i < 20; i++) {
      learn(policy, i % 2, 0, 1, 1);
    }
    int fallbacks = 0;
    int tried = 0;
    for (round = 1; round <= 400; round++) {
      Choice choice = decide(policy, round % 2, 0, "d" + round).choice();
      assertThat(choice.fairSetSize()).isZero();
      fallbacks += choice.reason() == DecisionReason.FALLBACK ? 1 : 0;
      tried += choice.reason() == DecisionReason.FORCED_EXPLORATION ? 1 : 0;
      assertThat(choice.reason() == DecisionReason.FALLBACK).isEqualTo(choice.arm() == 0);
    }
    assertThat(tried).isEqualTo(30);
    assertThat(fallbacks).isGreaterThan(350);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 24, 72})
  void badBytesAreRefused(int cut) {
    play(Selective.CELLS.policy(""), 80, new double[] {.4, .5}, ALIKE);
    EarnState state = state();
    ByteBuffer bytes = StoredBytes.of(state);
    assertThat(bytes.remaining()).isZero();
    assertThat(StoredBytes.read(new EarnState(), bytes.flip())).isEqualTo(state);
    assertThat(state.copy()).isEqualTo(state);
    assertThatThrownBy(
            () ->
                StoredBytes.read(new EarnState(), ByteBuffer.wrap(state.toBytes(), 0, cut).slice()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "linucb, explore: balanced",
        "linucb, explore: {share: 0.5, over: all, budget: 3}",
        "d-ucb, explore: {over: earn}",
        "d-ucb, constraint: dual, explore: {over: certify}",
        "f-ucb, explore: {share: 0.5, over: fair-set, budget: 2}",
        "f-ucb, explore: {over: balanced, share: 0.5}",
        "f-ucb, explore: {over: all}",
        "f-ucb, explore: best",
        "cclb, explore: balanced",
        "screen, explore: {share: 0.5}"
      })
  void whatDoesNotFitAGoalIsRefused(String policy) {
    assertThatThrownBy(() -> compiled(policy)).hasMessageContaining("policy.explore");
  }
}
