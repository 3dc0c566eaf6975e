package io.equipoise.lab.pcb;

import io.equipoise.lab.Runs;
import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import io.equipoise.policy.allocation.OamBounds;
import io.equipoise.policy.allocation.OamRule;
import io.equipoise.policy.allocation.OamRule.OamState;
import io.equipoise.policy.allocation.OamSchedule;
import io.equipoise.policy.allocation.OamTable;
import io.equipoise.simulation.SplitMix;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Plays UCB without a context and OAM with one, each with bounds of the population: none, those of
 * Table 1, or sound ones.
 */
final class OamContest {
  /** Length of (1, u1, u2, x1, x2), in which the true effects are linear. */
  static final int DIMENSION = 5;

  static final List<CausalBounds> KINDS =
      List.of(CausalBounds.NONE, CausalBounds.TABLE1, CausalBounds.SOUND);

  private final double[] truth;
  private final double[] shares;
  private final OamTable table = new OamTable(PcbPlace.CONTEXTS, PcbPlace.ARMS, features());
  private final OamSchedule schedule;

  /** A policy with bounds; its name ends in -pcb if there are any. */
  record Player(String algorithm, CausalBounds bounds) {
    String policy() {
      return bounds == CausalBounds.NONE ? algorithm : algorithm + "-pcb";
    }
  }

  static List<Player> players() {
    return Stream.of("ucb", "oam")
        .flatMap(algorithm -> KINDS.stream().map(kind -> new Player(algorithm, kind)))
        .toList();
  }

  private OamContest(LoggedWorld world, OamSchedule schedule) {
    this.schedule = schedule;
    truth = world.truth();
    shares = world.contextShares();
  }

  /** Returns the regrets; calls {@code onDone} after each trial, from several threads. */
  static Runs<Player, Double> play(
      LoggedWorld world, int count, long firstSeed, OamSchedule schedule, Runnable onDone) {
    return new OamContest(world, schedule).play(world.exact(), count, firstSeed, onDone);
  }

  private Runs<Player, Double> play(LoggedRounds log, int count, long firstSeed, Runnable onDone) {
    Map<Player, ToDoubleFunction<Visits>> games = new LinkedHashMap<>();
    for (Player player : players()) {
      if (player.algorithm().equals("ucb")) {
        List<Interval> bounds = player.bounds().withoutContext(log);
        games.put(player, visits -> ucb(bounds, visits));
      } else {
        OamBounds bounds = prior(table, player.bounds().of(log));
        games.put(player, visits -> oam(bounds, visits));
      }
    }
    return Runs.of(
        count,
        trial -> {
          SplitMix random = Streams.VISITS.of(firstSeed + trial);
          Visits visits = new Visits(random, shares, (int) schedule.rounds());
          Map<Player, Double> regrets = new LinkedHashMap<>();
          games.forEach((player, game) -> regrets.put(player, game.applyAsDouble(visits)));
          return regrets;
        },
        onDone);
  }

  static double[][] features() {
    double[][] features = new double[PcbPlace.PLACES][];
    for (int context = 0; context < PcbPlace.CONTEXTS; context++) {
      for (int arm = 0; arm < PcbPlace.ARMS; arm++) {
        features[context * PcbPlace.ARMS + arm] =
            new double[] {
              1,
              PcbPlace.first(context),
              PcbPlace.second(context),
              PcbPlace.first(arm),
              PcbPlace.second(arm)
            };
      }
    }
    return features;
  }

  static OamBounds prior(OamTable table, List<Interval> intervals) {
    double[] lower = new double[PcbPlace.PLACES];
    double[] upper = new double[PcbPlace.PLACES];
    for (int place = 0; place < PcbPlace.PLACES; place++) {
      int row = PcbPlace.context(place) * PcbPlace.ARMS + PcbPlace.arm(place);
      lower[row] = intervals.get(place).lower();
      upper[row] = intervals.get(place).upper();
    }
    return OamBounds.of(table, lower, upper);
  }

  /**
   * Returns the regret of UCB-PCB over the four arms, against the arm with the best average: the
   * index is clipped into causal bounds. An arm without pulls has an infinite index before
   * clipping; the first arm wins ties. The radius is sqrt(2 ln(1 / delta) / n) with delta = 1 /
   * T^2, that of sub-Gaussian noise of scale 1.
   */
  private double ucb(List<Interval> bounds, Visits visits) {
    double[] average = new double[PcbPlace.ARMS];
    for (int place = 0; place < truth.length; place++) {
      average[PcbPlace.arm(place)] += shares[PcbPlace.context(place)] * truth[place];
    }
    double best = Arrays.stream(average).max().orElseThrow();
    double logs = 4 * StrictMath.log(visits.rounds());
    double[] sums = new double[PcbPlace.ARMS];
    int[] pulls = new int[PcbPlace.ARMS];
    double regret = 0;
    for (int round = 0; round < visits.rounds(); round++) {
      int chosen = 0;
      double greatest = Double.NEGATIVE_INFINITY;
      for (int arm = 0; arm < pulls.length; arm++) {
        double ucb =
            pulls[arm] == 0
                ? Double.POSITIVE_INFINITY
                : sums[arm] / pulls[arm] + Math.sqrt(logs / pulls[arm]);
        Interval interval = bounds.get(arm);
        double index = Math.max(interval.lower(), Math.min(interval.upper(), ucb));
        if (index > greatest) {
          greatest = index;
          chosen = arm;
        }
      }
      pulls[chosen]++;
      sums[chosen] += visits.reward(round, truth[PcbPlace.of(chosen, visits.context(round))]);
      regret += best - average[chosen];
    }
    return regret;
  }

  private double oam(OamBounds bounds, Visits visits) {
    OamRule policy = new OamRule(table, schedule);
    OamState state = OamState.of(table);
    double[] best = PcbLinearPlay.best(truth);
    double regret = 0;
    for (int round = 0; round < visits.rounds(); round++) {
      int context = visits.context(round);
      int arm = policy.choose(state, bounds, context).arm();
      double mean = truth[PcbPlace.of(arm, context)];
      policy.learn(state, context, arm, visits.reward(round, mean));
      regret += best[context] - mean;
    }
    return regret;
  }
}
