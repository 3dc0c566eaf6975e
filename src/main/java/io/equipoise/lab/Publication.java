package io.equipoise.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows how far a replication is, and puts its report where it was asked for. */
final class Publication {
  private static final String STANDARD_OUTPUT = "-";

  private Publication() {}

  /** Returns a bar on standard error. */
  static ProgressBar progress(String name, int steps) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(steps)
        .setStyle(ProgressBarStyle.ASCII)
        .build();
  }

  /**
   * Writes table, JSON and plot. Where JSON has standard output, the table goes to standard error.
   */
  static void publish(Report report, ReplicateOptions options, PrintWriter out, PrintWriter err)
      throws IOException {
    @Nullable String json = options.json;
    report.printTable(STANDARD_OUTPUT.equals(json) ? err : out);
    if (STANDARD_OUTPUT.equals(json)) {
      out.print(report.json());
      out.flush();
    } else if (json != null) {
      Files.writeString(Path.of(json), report.json(), StandardCharsets.UTF_8);
    }
    if (options.plot != null) {
      RegretPlot.write(options.plot, report.experiment(), report.outcome());
    }
  }
}
