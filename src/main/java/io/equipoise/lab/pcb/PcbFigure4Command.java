package io.equipoise.lab.pcb;

import io.equipoise.cli.Version;
import io.equipoise.lab.pcb.Contest.Curves;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Figure;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replicates Figure 4 of Huang and Wu: regret of LinUCB with causal bounds, and of warm starts. */
@Command(
    name = "pcb-figure4",
    description = {
      "LinUCB clipped at causal bounds, against LinUCB and its warm starts.",
      "The reference has --trials 400, the paper 100; the default is 100."
    },
    mixinStandardHelpOptions = true)
public final class PcbFigure4Command implements Callable<Integer> {
  static final int PAPER_ROUNDS = 15_000;

  private static final int TRIALS = 100;
  private static final int MAX_ROUNDS = 1_000_000;

  @Mixin private final Options options = new Options();

  @Option(
      names = "--rounds",
      defaultValue = "15000",
      description = "Rounds of a trial, a multiple of 100. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Override
  public Integer call() throws IOException {
    options.check();
    if (rounds < PcbLinearPlay.STEP || rounds > MAX_ROUNDS || rounds % PcbLinearPlay.STEP != 0) {
      throw options
          .publication()
          .refused("--rounds must be a multiple of 100 from 100 to " + MAX_ROUNDS);
    }
    int trials = options.trials(TRIALS);
    Contest contest;
    try (ProgressBar bar = Publication.progress("pcb-figure4", trials)) {
      contest = Contest.play(new LoggedWorld(), trials, rounds, options.firstSeed(), bar::step);
    }
    List<Check> checks = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    Figure4Checks.add(contest, rounds, checks, skipped);
    return options
        .publication()
        .publish(
            new ReplicationReport(
                "pcb-figure4",
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
    settings.put("points", LoggedWorld.POINTS);
    settings.put("alpha", PcbLinearPlay.ALPHA);
    settings.put("lambda", PcbLinearPlay.RIDGE);
    settings.put("features", "u1, u2, x1, x2; theta per arm");
    settings.put("warm_start", "each logged row once, with the estimate as its reward");
    settings.put("truths", TwoTruths.SENTENCE);
    return settings;
  }

  private List<Map<String, @Nullable Object>> rows(Contest contest) {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Contender contender : Contender.ALL) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("policy", contender.policy());
      row.put("bounds", contender.bounds().name());
      ReplicationReport.put(row, "regret", contest.sample(contender, Curves::regret));
      row.put("regret_median", median(contest.values(contender, Curves::regret)));
      for (int round : List.of(1000, 5000)) {
        if (round <= rounds) {
          ToDoubleFunction<Curves> then = curves -> curves.regretAt(round);
          ReplicationReport.put(row, "regret_at_" + round, contest.sample(contender, then));
        }
      }
      ReplicationReport.put(
          row, "printed_regret", contest.sample(contender, Curves::printedRegret));
      rows.add(row);
    }
    return rows;
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(it -> it).sorted().toArray();
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return Math.rint(10 * median) / 10;
  }

  private Figure figure(Contest contest) {
    Figure figure = new Figure("regret", "Figure 4: mean regret", "round", "regret");
    double[] x = new double[rounds / PcbLinearPlay.STEP];
    for (int point = 0; point < x.length; point++) {
      x[point] = (point + 1.0) * PcbLinearPlay.STEP;
    }
    for (Contender contender : Contender.ALL) {
      double[] y = new double[x.length];
      for (int point = 0; point < x.length; point++) {
        int round = (point + 1) * PcbLinearPlay.STEP;
        y[point] = contest.sample(contender, curves -> curves.regretAt(round)).mean();
      }
      figure.curve(Figure4Checks.name(contender), x, y);
    }
    return figure;
  }
}
