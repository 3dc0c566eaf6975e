package io.equipoise.lab.pcb;

import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.Runs;
import io.equipoise.lab.pcb.OamContest.Player;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.allocation.OamSchedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares UCB-PCB and OAM-PCB of Huang and Wu with UCB and OAM. */
@Command(
    name = "oam",
    description = {
      "UCB and OAM, without and with the population's causal bounds.",
      "The reference has 6 trials of OAM and 200 of UCB; the default is --trials 20."
    },
    mixinStandardHelpOptions = true)
public final class OamCommand extends PcbCommand {
  private static final int TRIALS = 20;
  private static final int PAPER_ROUNDS = 15_000;
  private static final int MAX_ROUNDS = 1_000_000;
  private static final int FEWEST_TRIALS = 5;
  private static final double SHARE = 0.15;

  /** Allowed difference of any regret: the reference's 0.3 has a similar error. */
  private static final double SLACK = 1;

  @Option(
      names = "--rounds",
      defaultValue = "15000",
      description = "Rounds of a trial. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--variance",
      defaultValue = "1",
      description =
          "sigma^2 of OAM's confidence; 0.25 is enough for rewards in [0, 1]. Default:"
              + " ${DEFAULT-VALUE}.")
  private double variance;

  @Option(
      names = "--kappa",
      defaultValue = "0",
      description = "Factor of d log(d log n) in OAM's confidence. Default: ${DEFAULT-VALUE}.")
  private double kappa;

  @Option(
      names = "--epsilon",
      defaultValue = "0.005",
      description =
          "Share of explored rounds below which OAM forces an arm. Default: ${DEFAULT-VALUE}.")
  private double epsilon;

  private record Reference(String algorithm, CausalBounds bounds, double variance, double regret) {}

  private static final List<Reference> REFERENCES =
      List.of(
          new Reference("ucb", CausalBounds.NONE, 0, 383.2),
          new Reference("ucb", CausalBounds.TABLE1, 0, 0.3),
          new Reference("ucb", CausalBounds.SOUND, 0, 158.3),
          new Reference("oam", CausalBounds.NONE, 1, 238),
          new Reference("oam", CausalBounds.TABLE1, 1, 157),
          new Reference("oam", CausalBounds.SOUND, 1, 131),
          new Reference("oam", CausalBounds.NONE, .25, 203),
          new Reference("oam", CausalBounds.TABLE1, .25, 144),
          new Reference("oam", CausalBounds.SOUND, .25, 108));

  @Override
  public Integer call() throws IOException {
    check();
    range("--rounds", rounds, 3, MAX_ROUNDS);
    OamSchedule schedule;
    try {
      schedule = new OamSchedule(rounds, OamContest.DIMENSION, variance, kappa, epsilon);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
    int trials = trials(TRIALS);
    Runs<Player, Double> contest;
    try (ProgressBar bar = progress(trials)) {
      contest = OamContest.play(new LoggedWorld(), trials, firstSeed, schedule, bar::step);
    }
    Row settings =
        new Row()
            .with("trials", trials)
            .with("rounds", rounds)
            .with("variance", variance)
            .with("kappa", kappa)
            .with("epsilon", epsilon)
            .with("bounds", "of the population; UCB's sound ones with a census of u1");
    List<Row> rows = new ArrayList<>();
    for (Player player : OamContest.players()) {
      rows.add(
          new Row()
              .with("policy", player.policy())
              .with("bounds", player.bounds().name())
              .with("regret", contest.sample(player, regret -> regret)));
    }
    return publish(settings, rows, checks(contest, trials), figure(contest));
  }

  /**
   * Checks OAM's claim that bounds save it a fifth, and compares regrets with the reference. The
   * reference's means of OAM are over 6 trials: a regret may differ by 15 %, three standard errors
   * of the trials, and as much for the reference. The regret of a round is at most 1.
   */
  private Checks checks(Runs<Player, Double> contest, int trials) {
    Checks checks = new Checks();
    if (trials < FEWEST_TRIALS) {
      checks.skip("regrets", "fewer than " + FEWEST_TRIALS + " trials say too little");
      return checks;
    }
    for (CausalBounds kind : List.of(CausalBounds.TABLE1, CausalBounds.SOUND)) {
      Player player = new Player("oam", kind);
      Player plain = new Player("oam", CausalBounds.NONE);
      Sample difference = contest.difference(player, 0.8, plain, regret -> regret);
      double error = 3 * difference.error();
      checks.add("oam-pcb " + kind + " - 0.8 oam", difference.mean(), -0.8 * rounds, error);
    }
    if (rounds != PAPER_ROUNDS || kappa != 0 || epsilon != 0.005) {
      checks.skip("reference regrets", "they are of other settings");
      return checks;
    }
    for (Reference reference : REFERENCES) {
      boolean isUcb = reference.variance() == 0;
      if (isUcb || reference.variance() == variance) {
        Player player = new Player(reference.algorithm(), reference.bounds());
        Sample regret = contest.sample(player, one -> one);
        double own = isUcb ? 0 : Math.sqrt(trials / 6.0);
        double half = SLACK + SHARE * reference.regret() + 3 * regret.error() * Math.hypot(1, own);
        String name = "regret " + player.policy() + " " + player.bounds();
        checks.near(name, regret.mean(), reference.regret(), half);
      }
    }
    return checks;
  }

  private static Figure figure(Runs<Player, Double> contest) {
    List<CausalBounds> kinds = OamContest.KINDS;
    Figure figure = new Figure("regret", "UCB and OAM with bounds", "bounds", "regret");
    for (String algorithm : List.of("ucb", "oam")) {
      double[] x = IntStream.range(0, kinds.size()).asDoubleStream().toArray();
      double[] y =
          kinds.stream()
              .mapToDouble(
                  kind -> contest.sample(new Player(algorithm, kind), regret -> regret).mean())
              .toArray();
      figure.curve(algorithm + " (none, table1, sound)", x, y);
    }
    return figure;
  }
}
