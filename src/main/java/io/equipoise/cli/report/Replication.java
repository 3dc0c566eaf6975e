package io.equipoise.cli.report;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OutputFile;
import io.equipoise.cli.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A verb of {@code equipoise replicate}: the options that all verbs share, and the output of the
 * report. The name of the verb is the name of the experiment.
 */
public abstract class Replication implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();

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

  /**
   * Returns a progress bar on standard error. It shows nothing unless the launcher found a terminal
   * there, so that a redirected log has no copies of it.
   */
  public static ProgressBar progress(String name, long steps) {
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII);
    if (!Boolean.getBoolean("equipoise.terminal")) {
      bar.setConsumer(new DelegatingProgressBarConsumer(line -> {}));
    }
    return bar.build();
  }

  /** Returns a progress bar on standard error with the name of the experiment. */
  protected final ProgressBar progress(int steps) {
    return progress(command.name(), steps);
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

  /** Returns the exception for an option with an invalid value: exit code 2. */
  protected final ParameterException refused(@Nullable String message) {
    return new ParameterException(command.commandLine(), message);
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
            command.name(),
            settings,
            firstSeed,
            Version.current(),
            rows,
            checks.all(),
            checks.skipped());
    PrintWriter out = command.commandLine().getOut();
    report.printTable(json.takesStandardOutput() ? command.commandLine().getErr() : out);
    json.write(report, out);
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
