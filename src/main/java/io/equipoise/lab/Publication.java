package io.equipoise.lab;

import java.io.IOException;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows how far a replication is, and puts its report where it was asked for. */
final class Publication {
  private Publication() {}

  /** Returns a bar on standard error. */
  static ProgressBar progress(String name, int steps) {
    return new ProgressBarBuilder()
        .setTaskName(name)
        .setInitialMax(steps)
        .setStyle(ProgressBarStyle.ASCII)
        .build();
  }

  /** Writes table and JSON. Where JSON has standard output, the table goes to standard error. */
  static void publish(Report report, ReplicateOptions options, PrintWriter out, PrintWriter err) {
    report.printTable(options.json.takesStandardOutput() ? err : out);
    options.json.write(report, out);
  }

  /** Draws the regret curves where they were asked for. */
  static void plot(ReplicateOptions options, String experiment, Outcome outcome)
      throws IOException {
    if (options.plot != null) {
      RegretPlot.write(options.plot, experiment, outcome);
    }
  }
}
