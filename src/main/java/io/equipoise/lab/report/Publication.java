package io.equipoise.lab.report;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
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
 * The options of a replication that say where its report goes, and the way there; a mixin of every
 * replicate command.
 */
public final class Publication {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Mixin private final JsonOutput json = new JsonOutput();

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Write the curves to a file, .svg or .png.")
  private @Nullable Path plot;

  /** Returns a bar on standard error. */
  public static ProgressBar progress(String name, int steps) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(steps)
        .setStyle(ProgressBarStyle.ASCII)
        .build();
  }

  /** Says whether a plot was asked for. */
  public boolean wantsPlot() {
    return plot != null;
  }

  /** Refuses a plot in a format that cannot be written; call it before the work. */
  public void check() {
    if (plot != null && !isVector(plot) && !plotName(plot).endsWith(".png")) {
      throw refused("--plot must end in .svg or .png");
    }
  }

  /** Returns what to throw where an option's value cannot be used: exit code 2. */
  public ParameterException refused(String message) {
    return new ParameterException(command.commandLine(), message);
  }

  /** Draws the first figure where the plot was asked for, the others beside it. */
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

  /**
   * Writes table and JSON, then draws the figures if a plot was asked for, and returns the exit
   * code. Where JSON has standard output, the table goes to standard error. A plot that fails loses
   * none of the others.
   *
   * @param figures the first goes where the plot was asked for, the others beside it, with the
   *     figure's key before the ending
   */
  public int publish(ReplicationReport replicationReport, Supplier<List<Figure>> figures)
      throws IOException {
    PrintWriter out = command.commandLine().getOut();
    replicationReport.printTable(json.takesStandardOutput() ? command.commandLine().getErr() : out);
    json.write(replicationReport, out);
    if (plot != null) {
      draw(figures.get(), plot);
    }
    return replicationReport.exitCode();
  }

  private static boolean isVector(Path file) {
    return plotName(file).endsWith(".svg");
  }

  private static String plotName(Path file) {
    return file.toString().toLowerCase(Locale.ROOT);
  }
}
