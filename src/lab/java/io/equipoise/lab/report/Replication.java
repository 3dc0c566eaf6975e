package io.equipoise.lab.report;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OutputFile;
import io.equipoise.cli.Progress;
import io.equipoise.cli.Verb;
import io.equipoise.cli.Version;
import io.equipoise.cli.report.Figure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs a verb of {@code equipoise replicate}: parses the options that all verbs share, and writes
 * the report. The name of the verb is the name of the experiment.
 */
public abstract class Replication extends Verb {
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Write the curves to a file, .svg or .png.")
  private @Nullable Path plot;

  @Option(
      names = "--first-seed",
      defaultValue = "1",
      description = "Seed of the first trial; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  protected long firstSeed;

  /** Returns a progress bar on standard error with the name of the experiment. */
  protected final ProgressBar progress(int steps) {
    return Progress.bar(command().name(), steps);
  }

  protected final boolean hasPlot() {
    return plot != null;
  }

  /** Rejects options that no run can have, before any work; subclasses add their own. */
  protected void check() {
    refuse(
        plot != null && !isVector(plot) && !plotName(plot).endsWith(".png"),
        "--plot must end in .svg or .png");
  }

  /** Rejects the options if a condition holds. */
  protected final void refuse(boolean isWrong, String message) {
    if (isWrong) {
      throw refused(message);
    }
  }

  /** Rejects a value outside of two limits, both inclusive. */
  protected final void range(String option, int value, int least, int most) {
    refuse(
        value < least || value > most,
        option + " must be from " + least + " to " + most + ", not " + value);
  }

  /**
   * Writes table and JSON, then the figures if the user gave {@code --plot}, and returns the exit
   * code. The table goes to standard error if the JSON goes to standard output. A plot that fails
   * loses no other output.
   *
   * @param figures the first goes to the given file, the others to files beside it, with the
   *     figure's key before the extension
   */
  protected final int publish(
      Row settings, List<Row> rows, Checks checks, Supplier<List<Figure>> figures)
      throws IOException {
    ReplicationReport report =
        new ReplicationReport(
            command().name(),
            settings,
            firstSeed,
            Version.current(),
            rows,
            checks.all(),
            checks.skipped());
    report.printTable(json.takesStandardOutput() ? err() : out());
    json.write(report, out());
    if (plot != null) {
      draw(figures.get(), plot);
    }
    return report.exitCode();
  }

  private static void draw(List<Figure> figures, Path plot) throws IOException {
    for (int i = 0; i < figures.size(); i++) {
      Figure figure = figures.get(i);
      figure.write(i == 0 ? plot : beside(plot, figure.key()), isVector(plot));
    }
  }

  private static Path beside(Path plot, String key) {
    String name = String.valueOf(plot.getFileName());
    int ending = name.lastIndexOf('.');
    return plot.resolveSibling(name.substring(0, ending) + "-" + key + name.substring(ending));
  }

  private static boolean isVector(Path file) {
    return plotName(file).endsWith(".svg");
  }

  private static String plotName(Path file) {
    return file.toString().toLowerCase(Locale.ROOT);
  }
}
