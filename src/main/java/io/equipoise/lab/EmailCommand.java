package io.equipoise.lab;

import io.equipoise.cli.InputFile;
import io.equipoise.lab.Outcome.Stage;
import io.equipoise.lab.report.Row;
import io.equipoise.segmentspec.PolicyName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Replicates Huang et al. 2022, Table 1 and Figure 3, on the substitute Email Campaign. */
@Command(
    name = "fucb-email",
    description = "UCB, C-UCB, D-UCB and F-UCB on the Email Campaign (Huang et al. 2022, Table 1).",
    mixinStandardHelpOptions = true)
public final class EmailCommand extends FucbCommand {
  private static final List<PolicyName> POLICIES = EmailCampaign.POLICIES;

  @Option(
      names = "--draws",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "Take users, uniforms and noise from a CSV file: one trial, as long as the file.")
  private @Nullable Path draws;

  @Override
  public Integer call() throws IOException {
    check();
    List<Round> given = draws == null ? List.of() : given(draws);
    int trialCount = draws == null ? trials : 1;
    int roundCount = draws == null ? rounds : given.size();
    double[] taus = taus();
    Outcome outcome;
    try (ProgressBar bar = progress(Outcome.steps(POLICIES, taus, trialCount))) {
      outcome = Outcome.run(trial -> stage(trial, given), POLICIES, taus, trialCount, bar::step);
    }
    Row settings =
        settings(trialCount, roundCount)
            .with("draws", draws == null ? null : String.valueOf(draws.getFileName()))
            .with("indexScale", LabSpec.INDEX_SCALE)
            .with("fairnessScale", EmailCampaign.FAIRNESS_SCALE);
    return publish(
        settings,
        outcome.rows(POLICIES, roundCount),
        new EmailChecks(outcome, trialCount, roundCount).checks(),
        () -> List.of(outcome.plot("fucb-email")));
  }

  /** Every trial has its own campaign: an environment caches means and is not thread-safe. */
  private Stage stage(int trial, List<Round> given) {
    EmailCampaign campaign = new EmailCampaign();
    Environment environment = campaign.environment();
    return new Stage(
        environment,
        given.isEmpty() ? environment.rounds(rounds, firstSeed + trial) : given,
        (policy, tau) -> new Player.Tabular(campaign.spec(policy, tau)));
  }

  private List<Round> given(Path file) throws IOException {
    Environment environment = new EmailCampaign().environment();
    try {
      List<Round> given = DrawsFile.read(file, environment.features(), environment.mediators());
      refuse(given.isEmpty(), file + " has no rounds");
      return given;
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }
}
