package io.equipoise.lab.pcb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.lab.pcb.Contest.Contender;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import io.equipoise.policy.CausalBoundException;
import io.equipoise.policy.CausalBoundRow;
import io.equipoise.policy.CausalBoundTable;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.allocation.OamBounds;
import io.equipoise.policy.allocation.OamRule;
import io.equipoise.policy.allocation.OamRule.OamState;
import io.equipoise.policy.allocation.OamSchedule;
import io.equipoise.policy.allocation.OamTable;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The policies of the streaming job make the choices of those that the replications play. */
class JobPoliciesTest {
  private static final int ROUNDS = 5_000;
  private static final long SEED = 7;
  private static final String RAW =
      "{level: {of: U1, is: 1}}, {level: {of: U2, is: 1}},"
          + " {level: {of: X1, is: 1}}, {level: {of: X2, is: 1}}";
  private static final String SPEC =
      """
      name: pcb
      version: 1
      segments: default
      seed: 1
      variables:
        U1: {role: context, levels: [0, 1]}
        U2: {role: context, levels: [0, 1]}
        X1: {role: action, levels: [0, 1]}
        X2: {role: action, levels: [0, 1]}
        I1: {role: mediator, levels: [0, 1]}
        Y: {role: reward}
      graph: |
        dag { C1 [latent]  S [latent]
              U1 -> X1 -> I1 -> Y  U2 -> X2 -> Y  U1 -> Y  I1 -> S  I1 <- C1 -> Y }
      arms: all
      reward: {range: [0, 1]}
      policy: {%s}
      fairness: {tau: 0.3}
      join: {reward-window: 30m}
      """;

  private final LoggedWorld world = new LoggedWorld();
  private final double[] truth = world.truth();
  private final Visits visits = new Visits(Streams.VISITS.of(SEED), world.contextShares(), ROUNDS);

  private static Policy bandit(String policy) {
    return CompiledSpec.of(SpecParser.parse(SPEC.formatted(policy))).policy();
  }

  /** Plays a policy of the job; returns the places of what it chose. */
  private int[] play(Policy bandit, ClippedIndex clip) {
    SegmentSpec spec = bandit.spec();
    MemoryModelState blocks = new MemoryModelState();
    List<Candidate> offers = new ArrayList<>();
    for (Arm arm : spec.arms().list()) {
      offers.add(new Candidate(arm.id(), offers.size(), Profile.of(arm.levels())));
    }
    int[] places = new int[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int context = visits.context(round);
      Profile person = Profile.of(PcbPlace.first(context), PcbPlace.second(context));
      Request request = new Request(person, offers, true, offers.size());
      SeededRandom seededRandom = new SeededRandom(1, "pcb", "d" + round);
      int arm = bandit.decide(blocks, request, round + 1L, seededRandom, clip).choice().arm();
      places[round] = PcbPlace.of(arm, context);
      bandit.learn(
          blocks,
          new Experience(
              person.levels(),
              bandit.inputs(request, arm),
              arm,
              arm,
              new int[] {-1},
              visits.reward(round, truth[places[round]])),
          round + 1L);
    }
    return places;
  }

  /** Returns the regret after every step of the laboratory's curve. */
  private double[] regret(int[] places) {
    double[] best = PcbLinearPlay.best(truth);
    double[] regret = new double[ROUNDS / PcbLinearPlay.STEP];
    double sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      sum += best[PcbPlace.context(places[round])] - truth[places[round]];
      if ((round + 1) % PcbLinearPlay.STEP == 0) {
        regret[round / PcbLinearPlay.STEP] = sum;
      }
    }
    return regret;
  }

  private static String evidence(LoggedRounds loggedRounds) {
    ContingencyTable rewarded =
        loggedRounds.selected().marginal(List.of("X1", "X2", "U1", "U2", "Y"));
    StringBuilder rows = new StringBuilder();
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      double good = rewarded.weight(2L * place + 1);
      long n = (long) (rewarded.weight(2L * place) + good);
      int arm = PcbPlace.arm(place);
      int context = PcbPlace.context(place);
      rows.append(
          "{arm: \"X1=%d,X2=%d\", context: {U1: %d, U2: %d}, n: %d, mean: %s}, "
              .formatted(
                  PcbPlace.first(arm),
                  PcbPlace.second(arm),
                  PcbPlace.first(context),
                  PcbPlace.second(context),
                  n,
                  Double.toString(good / n)));
    }
    return rows.toString();
  }

  private void assertWarmPlaysLikeTheLaboratory(String policy, PointEstimates estimates) {
    LoggedRounds loggedRounds = world.sample(Streams.LOG.of(SEED), LoggedWorld.POINTS);
    PcbLinearPlay play =
        new PcbLinearPlay(Contender.LINUCB.upper(loggedRounds), Streams.TIES.of(SEED));
    play.warm(estimates.of(loggedRounds), loggedRounds.counts());
    double[] expected = play.play(visits, truth);
    Policy bandit =
        bandit(
            policy
                + ", alpha: 1.25, features: ["
                + RAW
                + "], warm-start: ["
                + evidence(loggedRounds)
                + "]");
    double[] regret = regret(play(bandit, ClippedIndex.NONE));
    assertArrayEquals(expected, regret, 1e-9);
    assertTrue(regret[regret.length - 1] > 1, "it errs now and then, or nothing is compared");
  }

  @Test
  void linUcbCpOfTheJobChoosesAsTheReplicationDoes() {
    assertWarmPlaysLikeTheLaboratory("name: linucb-cp", PointEstimates.CP);
  }

  @Test
  void linUcbBiasedOfTheJobChoosesAsTheReplicationOfEquationTwoDoes() {
    assertWarmPlaysLikeTheLaboratory(
        "name: linucb-biased, adjust-for: [U1]", PointEstimates.BIASED_ADJUSTED);
  }

  private void assertOamPlaysLikeTheLaboratory(CausalBounds kind) throws CausalBoundException {
    OamTable table = new OamTable(PcbPlace.CONTEXTS, PcbPlace.ARMS, OamContest.features());
    List<Interval> intervals = kind.of(world.exact());
    OamBounds oamBounds = OamContest.prior(table, intervals);
    OamRule policy =
        new OamRule(table, new OamSchedule(ROUNDS, OamContest.DIMENSION, .25, 0, .005));
    OamState state = OamState.of(table);
    int[] expected = new int[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int context = visits.context(round);
      int arm = policy.choose(state, oamBounds, context).arm();
      expected[round] = PcbPlace.of(arm, context);
      policy.learn(state, context, arm, visits.reward(round, truth[expected[round]]));
    }
    String settings = ", horizon: " + ROUNDS + ", features: [intercept, " + RAW + "]";
    Policy bandit = bandit("name: oam-pcb, causal-bounds: {name: shop}" + settings);
    List<CausalBoundRow> rows = new ArrayList<>();
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      int arm = PcbPlace.arm(place);
      int context = PcbPlace.context(place);
      rows.add(
          new CausalBoundRow(
              "X1=%d,X2=%d".formatted(PcbPlace.first(arm), PcbPlace.second(arm)),
              Map.of("U1", "" + PcbPlace.first(context), "U2", "" + PcbPlace.second(context)),
              intervals.get(place).lower(),
              intervals.get(place).upper(),
              true));
    }
    CausalBoundTable boundsTable = CausalBoundTable.of(bandit.spec(), rows);
    ClippedIndex clip =
        ClippedIndex.into(boundsTable, new BitSet(), bandit.spec().reward().range());
    assertArrayEquals(expected, play(bandit, clip));
  }

  @Test
  void oamPcbOfTheJobChoosesAsTheReplicationDoes() throws CausalBoundException {
    assertOamPlaysLikeTheLaboratory(CausalBounds.SOUND);
    assertOamPlaysLikeTheLaboratory(CausalBounds.TABLE1);
  }

  @Test
  void oamOfTheJobChoosesAsTheReplicationDoes() {
    OamTable table = new OamTable(PcbPlace.CONTEXTS, PcbPlace.ARMS, OamContest.features());
    OamRule policy = new OamRule(table, new OamSchedule(ROUNDS, OamContest.DIMENSION, 1, 0, .005));
    OamState state = OamState.of(table);
    int[] expected = new int[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int context = visits.context(round);
      int arm = policy.choose(state, OamBounds.none(table), context).arm();
      expected[round] = PcbPlace.of(arm, context);
      policy.learn(state, context, arm, visits.reward(round, truth[expected[round]]));
    }
    String settings = ", horizon: " + ROUNDS + ", variance: 1, features: [intercept, " + RAW + "]";
    assertArrayEquals(expected, play(bandit("name: oam" + settings), ClippedIndex.NONE));
  }

  @Test
  void placesOfTheSpecAreThoseOfTheLaboratory() {
    List<Arm> arms = bandit("name: ucb").spec().arms().list();
    for (int arm = 0; arm < PcbPlace.ARMS; arm++) {
      assertEquals(
          "X1=%d,X2=%d".formatted(PcbPlace.first(arm), PcbPlace.second(arm)), arms.get(arm).id());
    }
  }
}
