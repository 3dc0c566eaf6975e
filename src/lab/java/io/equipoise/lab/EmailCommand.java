package io.equipoise.lab;

import io.equipoise.cli.CsvFile;
import io.equipoise.cli.InputFile;
import io.equipoise.lab.Outcome.Stage;
import io.equipoise.lab.report.Row;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.simulation.EmailCampaign;
import io.equipoise.simulation.Environment;
import io.equipoise.simulation.Round;
import io.equipoise.simulation.StructuralModel.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
            .with("fairnessScale", LabSpec.EMAIL_FAIRNESS_SCALE);
    return publish(
        settings,
        outcome.rows(POLICIES, roundCount),
        new EmailChecks(outcome, trialCount, roundCount).checks(),
        () -> List.of(outcome.plot("fucb-email")));
  }

  /** Every trial has its own campaign: an environment caches means and is not thread-safe. */
  private Stage stage(int trial, List<Round> given) {
    LabSpec spec = LabSpec.email();
    Environment environment = EmailCampaign.environment();
    return new Stage(
        environment,
        given.isEmpty() ? environment.rounds(rounds, firstSeed + trial) : given,
        (policy, tau) -> new Player.Tabular(spec.of(policy, tau)));
  }

  private List<Round> given(Path file) throws IOException {
    Environment environment = EmailCampaign.environment();
    try {
      List<Round> given = DrawsFile.read(file, environment.features(), environment.mediators());
      refuse(given.isEmpty(), file + " has no rounds");
      return given;
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  /**
   * Reads rounds from a file instead of drawing them: CSV with a header that names the features,
   * {@code u} and a mediator's name for each mediator's uniform, and {@code noise}; other columns
   * are ignored.
   */
  private static final class DrawsFile {
    private DrawsFile() {}

    /**
     * Reads all rounds.
     *
     * @throws IllegalArgumentException if a column is missing or a value is not what it should be,
     *     with the line
     */
    static List<Round> read(Path file, List<Node> features, List<Node> mediators)
        throws IOException {
      try (CsvFile csv = CsvFile.open(file)) {
        return read(csv, file, features, mediators);
      }
    }

    private static List<Round> read(
        CsvFile csv, Path file, List<Node> features, List<Node> mediators) throws IOException {
      List<String> header = csv.heading();
      int[] featureColumns =
          features.stream().mapToInt(node -> column(file, header, node.name())).toArray();
      int[] uniformColumns =
          mediators.stream().mapToInt(node -> column(file, header, "u" + node.name())).toArray();
      int noiseColumn = column(file, header, "noise");
      List<Round> rounds = new ArrayList<>();
      for (List<String> fields = csv.next(); fields != null; fields = csv.next()) {
        try {
          int[] context = new int[featureColumns.length];
          for (int i = 0; i < context.length; i++) {
            context[i] = Integer.parseInt(fields.get(featureColumns[i]));
            require(
                context[i] >= 0 && context[i] < features.get(i).levels().size(), "no such level");
          }
          double[] uniforms = new double[uniformColumns.length];
          for (int i = 0; i < uniforms.length; i++) {
            uniforms[i] = Double.parseDouble(fields.get(uniformColumns[i]));
            require(uniforms[i] >= 0 && uniforms[i] < 1, "a uniform outside of [0, 1)");
          }
          double noise = Double.parseDouble(fields.get(noiseColumn));
          require(Double.isFinite(noise), "noise is not finite");
          rounds.add(new Round(context, uniforms, noise));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
          throw new IllegalArgumentException(csv.place() + e.getMessage(), e);
        }
      }
      return rounds;
    }

    private static void require(boolean isGood, String otherwise) {
      if (!isGood) {
        throw new IllegalArgumentException(otherwise);
      }
    }

    private static int column(Path file, List<String> header, String name) {
      int column = header.indexOf(name);
      if (column < 0) {
        throw new IllegalArgumentException(file + " has no column " + name + ", only " + header);
      }
      return column;
    }
  }
}
