package io.equipoise.lab.pcb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.bandit.Bandit;
import io.equipoise.bandit.CausalBoundException;
import io.equipoise.bandit.CausalBoundRow;
import io.equipoise.bandit.CausalBoundTable;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.Experience;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.features.Profile;
import io.equipoise.bandit.oam.OamBounds;
import io.equipoise.bandit.oam.OamPolicy;
import io.equipoise.bandit.oam.OamSchedule;
import io.equipoise.bandit.oam.OamState;
import io.equipoise.bandit.oam.OamTable;
import io.equipoise.causal.estimand.ContingencyTable;
import io.equipoise.join.CompiledSpec;
import io.equipoise.spec.Arm;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecParser;
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

  private static Bandit bandit(String policy) {
    return CompiledSpec.of(SpecParser.parse(SPEC.formatted(policy))).bandit();
  }

  /** Plays a policy of the job; returns the places of what it chose. */
  private int[] play(Bandit bandit, ClippedIndex clip) {
    SegmentSpec spec = bandit.spec();
    MemoryBlocks blocks = new MemoryBlocks();
    List<Offer> offers = new ArrayList<>();
    for (Arm arm : spec.arms().list()) {
      offers.add(new Offer(arm.id(), offers.size(), Profile.of(arm.levels())));
    }
    int[] places = new int[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int context = visits.context(round);
      Profile person = Profile.of(Place.first(context), Place.second(context));
      Request request = new Request(person, offers, true, offers.size());
      Draw draw = new Draw(1, "pcb", "d" + round);
      int arm = bandit.decide(blocks, request, round + 1L, draw, clip).choice().arm();
      places[round] = Place.of(arm, context);
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
    double[] best = LinearPlay.best(truth);
    double[] regret = new double[ROUNDS / LinearPlay.STEP];
    double sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      sum += best[Place.context(places[round])] - truth[places[round]];
      if ((round + 1) % LinearPlay.STEP == 0) {
        regret[round / LinearPlay.STEP] = sum;
      }
    }
    return regret;
  }

  private static String evidence(Log log) {
    ContingencyTable rewarded = log.selected().marginal(List.of("X1", "X2", "U1", "U2", "Y"));
    StringBuilder rows = new StringBuilder();
    for (int place = 0; place < Place.PLACES; place++) {
      double good = rewarded.weight(2L * place + 1);
      long n = (long) (rewarded.weight(2L * place) + good);
      int arm = Place.arm(place);
      int context = Place.context(place);
      rows.append(
          "{arm: \"X1=%d,X2=%d\", context: {U1: %d, U2: %d}, n: %d, mean: %s}, "
              .formatted(
                  Place.first(arm),
                  Place.second(arm),
                  Place.first(context),
                  Place.second(context),
                  n,
                  Double.toString(good / n)));
    }
    return rows.toString();
  }

  private void assertWarmPlaysLikeTheLaboratory(String policy, PointEstimates estimates) {
    Log log = world.sample(Streams.LOG.of(SEED), LoggedWorld.POINTS);
    LinearPlay play = new LinearPlay(Contender.LINUCB.upper(log), Streams.TIES.of(SEED));
    play.warm(estimates.of(log), log.counts());
    double[] expected = play.play(visits, truth);
    Bandit bandit =
        bandit(
            policy + ", alpha: 1.25, features: [" + RAW + "], warm-start: [" + evidence(log) + "]");
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
    OamTable table = new OamTable(Place.CONTEXTS, Place.ARMS, OamContest.features());
    List<Interval> intervals = kind.of(world.exact());
    OamBounds oamBounds = OamContest.prior(table, intervals);
    OamPolicy policy =
        new OamPolicy(table, new OamSchedule(ROUNDS, OamContest.DIMENSION, .25, 0, .005));
    OamState state = OamState.of(table);
    int[] expected = new int[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int context = visits.context(round);
      int arm = policy.choose(state, oamBounds, context).arm();
      expected[round] = Place.of(arm, context);
      policy.learn(state, context, arm, visits.reward(round, truth[expected[round]]));
    }
    String settings = ", horizon: " + ROUNDS + ", features: [intercept, " + RAW + "]";
    Bandit bandit = bandit("name: oam-pcb, causal-bounds: {name: shop}" + settings);
    List<CausalBoundRow> rows = new ArrayList<>();
    for (int place = 0; place < Place.PLACES; place++) {
      int arm = Place.arm(place);
      int context = Place.context(place);
      rows.add(
          new CausalBoundRow(
              "X1=%d,X2=%d".formatted(Place.first(arm), Place.second(arm)),
              Map.of("U1", "" + Place.first(context), "U2", "" + Place.second(context)),
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
    OamTable table = new OamTable(Place.CONTEXTS, Place.ARMS, OamContest.features());
    OamPolicy policy =
        new OamPolicy(table, new OamSchedule(ROUNDS, OamContest.DIMENSION, 1, 0, .005));
    OamState state = OamState.of(table);
    int[] expected = new int[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int context = visits.context(round);
      int arm = policy.choose(state, OamBounds.none(table), context).arm();
      expected[round] = Place.of(arm, context);
      policy.learn(state, context, arm, visits.reward(round, truth[expected[round]]));
    }
    String settings = ", horizon: " + ROUNDS + ", variance: 1, features: [intercept, " + RAW + "]";
    assertArrayEquals(expected, play(bandit("name: oam" + settings), ClippedIndex.NONE));
  }

  @Test
  void placesOfTheSpecAreThoseOfTheLaboratory() {
    List<Arm> arms = bandit("name: ucb").spec().arms().list();
    for (int arm = 0; arm < Place.ARMS; arm++) {
      assertEquals(
          "X1=%d,X2=%d".formatted(Place.first(arm), Place.second(arm)), arms.get(arm).id());
    }
  }
}
