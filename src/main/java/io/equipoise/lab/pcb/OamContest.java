package io.equipoise.lab.pcb;

import io.equipoise.lab.Parallel;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.allocation.OamBounds;
import io.equipoise.policy.allocation.OamRule;
import io.equipoise.policy.allocation.OamSchedule;
import io.equipoise.policy.allocation.OamState;
import io.equipoise.policy.allocation.OamTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plays UCB without a context and OAM with one, each with bounds of the population: none, those of
 * Table 1, sound ones.
 */
final class OamContest {
  /** Length of (1, u1, u2, x1, x2), in which the true effects are linear. */
  static final int DIMENSION = 5;

  static final List<CausalBounds> KINDS =
      List.of(CausalBounds.NONE, CausalBounds.TABLE1, CausalBounds.SOUND);

  private final List<Map<Player, Double>> trials;

  private OamContest(List<Map<Player, Double>> trials) {
    this.trials = trials;
  }

  /** A policy with bounds; its name ends in -pcb if there are any. */
  record Player(String algorithm, CausalBounds bounds) {
    String policy() {
      return bounds == CausalBounds.NONE ? algorithm : algorithm + "-pcb";
    }
  }

  /** What is fixed over all trials. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Setting(double[] truth, double[] shares, OamTable table, OamSchedule schedule) {}

  static List<Player> players() {
    List<Player> players = new ArrayList<>();
    for (String algorithm : List.of("ucb", "oam")) {
      KINDS.forEach(kind -> players.add(new Player(algorithm, kind)));
    }
    return players;
  }

  /** Plays; {@code onDone} is called after each trial, from several threads. */
  static OamContest play(
      LoggedWorld world, int trials, long firstSeed, OamSchedule schedule, Runnable onDone) {
    LoggedRounds loggedRounds = world.exact();
    OamTable table = new OamTable(PcbPlace.CONTEXTS, PcbPlace.ARMS, features());
    Setting setting = new Setting(world.truth(), world.contextShares(), table, schedule);
    Map<CausalBounds, OamBounds> causalBounds = new LinkedHashMap<>();
    KINDS.forEach(kind -> causalBounds.put(kind, prior(table, kind.of(loggedRounds))));
    Map<CausalBounds, List<Interval>> bounds = new LinkedHashMap<>();
    KINDS.forEach(kind -> bounds.put(kind, kind.withoutContext(loggedRounds)));
    return new OamContest(
        Parallel.trials(
            trials,
            trial -> {
              int rounds = (int) schedule.rounds();
              Visits visits =
                  new Visits(Streams.VISITS.of(firstSeed + trial), setting.shares(), rounds);
              Map<Player, Double> regrets = new LinkedHashMap<>();
              for (Player player : players()) {
                CausalBounds kind = player.bounds();
                double regret =
                    player.algorithm().equals("ucb")
                        ? new UcbPlay(bounds.getOrDefault(kind, Collections.emptyList()))
                            .play(visits, setting.truth(), setting.shares())
                        : oam(
                            setting,
                            causalBounds.getOrDefault(kind, OamBounds.none(table)),
                            visits);
                regrets.put(player, regret);
              }
              return regrets;
            },
            onDone));
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

  private static double oam(Setting setting, OamBounds oamBounds, Visits visits) {
    OamRule policy = new OamRule(setting.table(), setting.schedule());
    OamState state = OamState.of(setting.table());
    double[] best = PcbLinearPlay.best(setting.truth());
    double regret = 0;
    for (int round = 0; round < visits.rounds(); round++) {
      int context = visits.context(round);
      int arm = policy.choose(state, oamBounds, context).arm();
      double mean = setting.truth()[PcbPlace.of(arm, context)];
      policy.learn(state, context, arm, visits.reward(round, mean));
      regret += best[context] - mean;
    }
    return regret;
  }

  Sample regret(Player player) {
    return Sample.of(trials.stream().map(trial -> of(trial, player)).toList());
  }

  /** Returns one player's regret minus a multiple of another's, trial by trial. */
  Sample difference(Player one, double factor, Player other) {
    return Sample.of(
        trials.stream().map(trial -> of(trial, one) - factor * of(trial, other)).toList());
  }

  private static double of(Map<Player, Double> trial, Player player) {
    Double regret = trial.get(player);
    if (regret == null) {
      throw new IllegalArgumentException("not played: " + player);
    }
    return regret;
  }
}
