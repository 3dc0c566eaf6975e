package io.equipoise.lab;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.Version;
import io.equipoise.lab.report.Publication;
import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.policy.tabular.TabularPolicy;
import io.equipoise.segmentspec.PolicyName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replicates Huang et al. 2022, Table 1 and Figure 3, on the substitute Email Campaign. */
@Command(
    name = "fucb-email",
    description = "UCB, C-UCB, D-UCB and F-UCB on the Email Campaign (Huang et al. 2022, Table 1).",
    mixinStandardHelpOptions = true)
public final class EmailCommand implements Callable<Integer> {
  private static final List<PolicyName> POLICIES = EmailCampaign.POLICIES;

  @Mixin private ReplicateOptions options = new ReplicateOptions();

  @Option(
      names = "--draws",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "Take users, uniforms and noise from a CSV file: one trial, as long as the file.")
  private @Nullable Path draws;

  private record EmailStage(EmailCampaign campaign, List<Round> rounds)
      implements Experiment.Stage {
    @Override
    public Environment environment() {
      return campaign.environment();
    }

    @Override
    public Player player(PolicyName policy, double tau) {
      return new TabularPlayer(TabularPolicy.compile(campaign.spec(policy, tau)));
    }
  }

  @Override
  public Integer call() throws IOException {
    options.check();
    List<Round> given = given();
    int trials = given == null ? options.trials : 1;
    int rounds = given == null ? options.rounds : given.size();
    Outcome outcome = outcome(given, trials);
    EmailChecks checks = new EmailChecks(outcome, trials, rounds);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("trials", trials);
    settings.put("rounds", rounds);
    settings.put("taus", options.taus);
    settings.put("draws", draws == null ? null : String.valueOf(draws.getFileName()));
    settings.put("indexScale", LabSpec.INDEX_SCALE);
    settings.put("fairnessScale", EmailCampaign.FAIRNESS_SCALE);
    ReplicationReport replicationReport =
        new ReplicationReport(
            "fucb-email",
            settings,
            options.firstSeed,
            Version.current(),
            outcome.rows(POLICIES, rounds),
            checks.checks(),
            checks.skipped());
    return options.publication.publish(
        replicationReport, () -> List.of(RegretPlot.of("fucb-email", outcome)));
  }

  private Outcome outcome(@Nullable List<Round> given, int trials) {
    double[] taus = options.taus();
    int steps = Experiment.steps(POLICIES, taus, trials);
    try (ProgressBar bar = Publication.progress("fucb-email", steps)) {
      return Experiment.run(trial -> stage(trial, given), POLICIES, taus, trials, bar::step);
    }
  }

  /** Every trial has a campaign of its own: an environment remembers means and is not shared. */
  private Experiment.Stage stage(int trial, @Nullable List<Round> given) {
    EmailCampaign campaign = new EmailCampaign();
    List<Round> rounds =
        given == null
            ? campaign.environment().rounds(options.rounds, options.firstSeed + trial)
            : given;
    return new EmailStage(campaign, rounds);
  }

  private @Nullable List<Round> given() throws IOException {
    if (draws == null) {
      return null;
    }
    Environment environment = new EmailCampaign().environment();
    try {
      List<Round> rounds = DrawsFile.read(draws, environment.features(), environment.mediators());
      if (rounds.isEmpty()) {
        throw options.refused(draws + " has no rounds");
      }
      return rounds;
    } catch (IllegalArgumentException e) {
      throw options.refused(e.getMessage());
    }
  }
}
