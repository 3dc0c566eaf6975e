package io.equipoise.lab;

import io.equipoise.cli.InputPath;
import io.equipoise.lab.Outcome.Run;
import io.equipoise.lab.Outcome.Stage;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Row;
import io.equipoise.policy.linear.LinearPolicyName;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.SplitMix;
import io.equipoise.simulation.StructuralModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replicates Huang et al. 2022, Table 2, as far as its description is consistent. */
@Command(
    name = "fucb-adult",
    description = "UCB, C-UCB, D-UCB and F-UCB on Adult-Video (Huang et al. 2022, Table 2).",
    mixinStandardHelpOptions = true)
public final class AdultCommand extends FucbCommand {
  private static final List<PolicyName> POLICIES = EmailCampaign.POLICIES;

  /** Half a unit of the last decimal of the shipped tables. */
  private static final double ROUNDED = 0.5e-4;

  @Option(
      names = "--adult",
      paramLabel = "PATH",
      converter = InputPath.class,
      description = "Count the tables of people in UCI's adult.data: the file or its directory.")
  private @Nullable Path adult;

  /** Chooses whether sex is a cause of income. */
  enum Edge {
    NONE("none"),
    SEX_TO_INCOME("sex -> income");

    private final String label;

    Edge(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  @Override
  public Integer call() throws IOException {
    check();
    Checks checks = new Checks();
    List<Row> rows = new ArrayList<>();
    int steps = Outcome.steps(POLICIES, taus(), trials) + trials;
    Outcome plain;
    try (ProgressBar bar = progress(Edge.values().length * steps)) {
      plain = run(Edge.NONE, rows, checks, bar);
      run(Edge.SEX_TO_INCOME, rows, checks, bar);
    }
    Row settings =
        settings(trials, rounds)
            .with("adult", adult == null ? "shipped tables" : "counted")
            .with("indexScale", LabSpec.INDEX_SCALE)
            .with("fairnessScale", AdultVideo.FAIRNESS_SCALE);
    return publish(settings, rows, checks, () -> List.of(plain.plot("fucb-adult")));
  }

  private Outcome run(Edge edge, List<Row> rows, Checks checks, ProgressBar bar)
      throws IOException {
    StructuralModel model = AdultVideo.model(edge);
    count(edge, model, checks);
    double[] taus = taus();
    Outcome outcome = Outcome.run(trial -> stage(trial, model), POLICIES, taus, trials, bar::step);
    List<Trial> baseline = new ArrayList<>();
    for (int trial = 0; trial < trials; trial++) {
      Environment videos = videos(trial, model).videos();
      long seed = firstSeed + trial;
      Player player = new FairLinUcbPlayer(videos, seed);
      baseline.add(Trial.run(player, videos, videos.rounds(rounds, seed), taus));
      bar.step();
    }
    outcome.add(Run.of(LinearPolicyName.FAIR_LINUCB, 0), baseline);
    new AdultChecks(edge, outcome, rounds, checks).add();
    List<PolicyName> withBaseline = new ArrayList<>(POLICIES);
    withBaseline.add(LinearPolicyName.FAIR_LINUCB);
    outcome.rows(withBaseline, rounds).forEach(row -> rows.add(row.with("edge", edge.label())));
    return outcome;
  }

  private void count(Edge edge, StructuralModel model, Checks checks) throws IOException {
    String name = "counted against shipped tables, " + edge.label();
    if (adult == null) {
      checks.skip(name, "no --adult was given");
      return;
    }
    try {
      checks.add(name, AdultCensus.count(adult, model), 0.0, ROUNDED + 1e-9);
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  private AdultVideo videos(int trial, StructuralModel model) {
    return new AdultVideo(model, new SplitMix(~(firstSeed + trial)));
  }

  private Stage stage(int trial, StructuralModel model) {
    AdultVideo videos = videos(trial, model);
    Environment environment = videos.environment();
    return new Stage(environment, environment.rounds(rounds, firstSeed + trial), videos::player);
  }
}
