package io.equipoise.lab;

import io.equipoise.Version;
import io.equipoise.cli.InputPath;
import io.equipoise.lab.Outcome.Run;
import io.equipoise.lab.report.Check;
import io.equipoise.lab.report.Check.Skipped;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.policy.linear.LinearPolicyName;
import io.equipoise.segmentspec.PolicyName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
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

/** Replicates Huang et al. 2022, Table 2, as far as its description is consistent. */
@Command(
    name = "fucb-adult",
    description = "UCB, C-UCB, D-UCB and F-UCB on Adult-Video (Huang et al. 2022, Table 2).",
    mixinStandardHelpOptions = true)
final class AdultCommand implements Callable<Integer> {
  private static final List<PolicyName> POLICIES = EmailCampaign.POLICIES;

  @Mixin private ReplicateOptions options = new ReplicateOptions();

  @Option(
      names = "--adult",
      paramLabel = "PATH",
      converter = InputPath.class,
      description = "Count the tables of people in UCI's adult.data: the file or its directory.")
  private @Nullable Path adult;

  /** Whether sex is a cause of income. */
  enum Edge {
    NONE("none", ""),
    SEX_TO_INCOME("sex -> income", "withSexIncomeEdge");

    private final String label;
    private final String variant;

    Edge(String label, String variant) {
      this.label = label;
      this.variant = variant;
    }

    String label() {
      return label;
    }

    StructuralModel model() {
      return StructuralModel.resource("/lab/adult-video.json", variant);
    }
  }

  private record AdultStage(AdultVideo videos, List<Round> rounds) implements Experiment.Stage {
    @Override
    public Environment environment() {
      return videos.environment();
    }

    @Override
    public Player player(PolicyName policy, double tau) {
      return videos.player(policy, tau);
    }
  }

  @Override
  public Integer call() throws IOException {
    options.check();
    List<Check> checks = new ArrayList<>();
    List<Skipped> skipped = new ArrayList<>();
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    int steps = Experiment.steps(POLICIES, options.taus(), options.trials) + options.trials;
    Outcome plain;
    try (ProgressBar bar = Publication.progress("fucb-adult", Edge.values().length * steps)) {
      plain = run(Edge.NONE, rows, checks, skipped, bar);
      run(Edge.SEX_TO_INCOME, rows, checks, skipped, bar);
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", options.trials);
    settings.put("rounds", options.rounds);
    settings.put("taus", options.taus);
    settings.put("adult", adult == null ? "shipped tables" : "counted");
    settings.put("indexScale", LabSpec.INDEX_SCALE);
    settings.put("fairnessScale", AdultVideo.FAIRNESS_SCALE);
    ReplicationReport replicationReport =
        new ReplicationReport(
            "fucb-adult", settings, options.firstSeed, Version.current(), rows, checks, skipped);
    return options.publication.publish(
        replicationReport, () -> List.of(RegretPlot.of("fucb-adult", plain)));
  }

  private Outcome run(
      Edge edge,
      List<Map<String, @Nullable Object>> rows,
      List<Check> checks,
      List<Skipped> skipped,
      ProgressBar bar) {
    StructuralModel model = edge.model();
    people(edge, model, checks, skipped);
    double[] taus = options.taus();
    Outcome outcome =
        Experiment.run(trial -> stage(trial, model), POLICIES, taus, options.trials, bar::step);
    outcome.add(Run.of(LinearPolicyName.FAIR_LINUCB, 0), fairLinUcb(model, taus, bar));
    new AdultChecks(edge, outcome, options.rounds).add(checks, skipped);
    for (Map<String, @Nullable Object> row : outcome.rows(withBaseline(), options.rounds)) {
      row.put("edge", edge.label());
      rows.add(row);
    }
    return outcome;
  }

  private void people(Edge edge, StructuralModel model, List<Check> checks, List<Skipped> skipped) {
    String name = "counted against shipped tables, " + edge.label();
    if (adult == null) {
      skipped.add(new Skipped(name, "no --adult was given"));
      return;
    }
    try {
      double rounded = 0.5e-4; // the shipped tables have four decimals
      checks.add(Check.of(name, AdultCensus.count(adult, model), 0.0, rounded + 1e-9));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      throw options.refused(e.getMessage());
    }
  }

  private static List<PolicyName> withBaseline() {
    List<PolicyName> all = new ArrayList<>(POLICIES);
    all.add(LinearPolicyName.FAIR_LINUCB);
    return all;
  }

  private List<Trial> fairLinUcb(StructuralModel model, double[] taus, ProgressBar bar) {
    List<Trial> trials = new ArrayList<>();
    for (int trial = 0; trial < options.trials; trial++) {
      Environment videos = videos(trial, model).videos();
      long seed = options.firstSeed + trial;
      Player player = new FairLinUcbPlayer(videos, seed);
      trials.add(Trial.run(player, videos, videos.rounds(options.rounds, seed), taus));
      bar.step();
    }
    return trials;
  }

  private AdultVideo videos(int trial, StructuralModel model) {
    return new AdultVideo(model, new SplitMix(~(options.firstSeed + trial)));
  }

  private Experiment.Stage stage(int trial, StructuralModel model) {
    long seed = options.firstSeed + trial;
    AdultVideo videos = videos(trial, model);
    return new AdultStage(videos, videos.environment().rounds(options.rounds, seed));
  }
}
