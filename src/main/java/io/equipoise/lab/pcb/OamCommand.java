package io.equipoise.lab.pcb;

import io.equipoise.cli.Version;
import io.equipoise.lab.pcb.OamContest.Player;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Figure;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.lab.report.Sample;
import io.equipoise.policy.allocation.OamSchedule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Plays UCB-PCB and OAM-PCB of Huang and Wu against the same without bounds. */
@Command(
    name = "oam",
    description = {
      "UCB and OAM, without and with the population's causal bounds.",
      "The reference has 6 trials of OAM and 200 of UCB; the default is --trials 20."
    },
    mixinStandardHelpOptions = true)
public final class OamCommand implements Callable<Integer> {
  private static final int TRIALS = 20;
  private static final int PAPER_ROUNDS = 15_000;
  private static final int MAX_ROUNDS = 1_000_000;
  private static final int FEWEST_TRIALS = 5;
  private static final double SHARE = 0.15;

  /** What any regret may differ by: the reference's of 0.3 has an error of as much. */
  private static final double SLACK = 1;

  @Mixin private final Options options = new Options();

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
    options.check();
    if (rounds < 3 || rounds > MAX_ROUNDS) {
      throw options.publication().refused("--rounds must be from 3 to " + MAX_ROUNDS);
    }
    OamSchedule schedule;
    try {
      schedule = new OamSchedule(rounds, OamContest.DIMENSION, variance, kappa, epsilon);
    } catch (IllegalArgumentException e) {
      throw options.publication().refused(e.getMessage());
    }
    int trials = options.trials(TRIALS);
    OamContest contest;
    try (ProgressBar bar = Publication.progress("oam", trials)) {
      contest =
          OamContest.play(new LoggedWorld(), trials, options.firstSeed(), schedule, bar::step);
    }
    List<Check> checks = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    check(contest, trials, checks, skipped);
    return options
        .publication()
        .publish(
            new ReplicationReport(
                "oam",
                settings(trials),
                options.firstSeed(),
                Version.current(),
                rows(contest),
                checks,
                skipped),
            () -> List.of(figure(contest)));
  }

  private Map<String, Object> settings(int trials) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", trials);
    settings.put("rounds", rounds);
    settings.put("variance", variance);
    settings.put("kappa", kappa);
    settings.put("epsilon", epsilon);
    settings.put("bounds", "of the population; UCB's sound ones with a census of u1");
    settings.put("truths", TwoTruths.SENTENCE);
    return settings;
  }

  private static List<Map<String, @Nullable Object>> rows(OamContest contest) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Player player : OamContest.players()) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("policy", player.policy());
      row.put("bounds", player.bounds().name());
      ReplicationReport.put(row, "regret", contest.regret(player));
      rows.add(row);
    }
    return rows;
  }

  /**
   * OAM is held to its claim, that bounds save it a fifth. A mean of the reference is that of 6
   * trials: the difference may be 15 %, three standard errors of the trials that were run, and as
   * much for the reference's own. A round's regret is at most 1.
   */
  private void check(OamContest contest, int trials, List<Check> checks, List<Skipped> skipped) {
    if (trials < FEWEST_TRIALS) {
      skipped.add(new Skipped("regrets", "fewer than " + FEWEST_TRIALS + " trials say too little"));
      return;
    }
    for (CausalBounds kind : List.of(CausalBounds.TABLE1, CausalBounds.SOUND)) {
      Player player = new Player("oam", kind);
      Sample difference = contest.difference(player, 0.8, new Player("oam", CausalBounds.NONE));
      checks.add(
          Check.of(
              "oam-pcb " + kind + " - 0.8 oam",
              difference.mean(),
              -0.8 * rounds,
              3 * error(difference)));
    }
    boolean isReference = rounds == PAPER_ROUNDS && kappa == 0 && epsilon == 0.005;
    for (Reference reference : REFERENCES) {
      boolean isUcb = reference.variance() == 0;
      if (!isReference || !(isUcb || reference.variance() == variance)) {
        continue;
      }
      Player player = new Player(reference.algorithm(), reference.bounds());
      Sample regret = contest.regret(player);
      double own = isUcb ? 0 : Math.sqrt(trials / 6.0);
      double half = SLACK + SHARE * reference.regret() + 3 * error(regret) * Math.hypot(1, own);
      checks.add(
          Check.of(
              "regret " + player.policy() + " " + player.bounds(),
              regret.mean(),
              reference.regret() - half,
              reference.regret() + half));
    }
    if (!isReference) {
      skipped.add(new Skipped("reference regrets", "they are of other settings"));
    }
  }

  private static double error(Sample sample) {
    Double error = sample.standardError();
    return error == null ? 0 : error;
  }

  private static Figure figure(OamContest contest) {
    Figure figure = new Figure("regret", "UCB and OAM with bounds", "bounds", "regret");
    for (String algorithm : List.of("ucb", "oam")) {
      double[] x = new double[OamContest.KINDS.size()];
      double[] y = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        x[i] = i;
        y[i] = contest.regret(new Player(algorithm, OamContest.KINDS.get(i))).mean();
      }
      figure.curve(algorithm + " (none, table1, sound)", x, y);
    }
    return figure;
  }
}
