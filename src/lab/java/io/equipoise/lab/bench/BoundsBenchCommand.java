package io.equipoise.lab.bench;

import io.equipoise.tools.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the offline job against a plain loop: {@code bench bounds}. */
@Command(
    name = "bounds",
    description = {
      "Measures the rows per second of the offline job on a random log, relative "
          + "to a plain single-threaded loop that reads, splits and counts. Both run "
          + "alternately in one process.",
      "That process has a limited heap, so a job that kept rows in memory could not finish."
    },
    mixinStandardHelpOptions = true)
final class BoundsBenchCommand extends BenchCommand {
  private static final long MOST_ROWS = 1_000_000_000;
  private static final int LEAST_HEAP = 64;

  @Option(
      names = "--rows",
      defaultValue = "10000000",
      description = "Rows of the log, 12 bytes each (default: ${DEFAULT-VALUE}).")
  private long rows;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description =
          "Measured runs of each; the report has medians (default: " + "${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--heap",
      defaultValue = "256",
      paramLabel = "MB",
      description = "Heap of the measured process (default: ${DEFAULT-VALUE}).")
  private int heap;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  /** Returns the exit code. */
  @Override
  public Integer call() throws IOException {
    refuse(
        rows < 1 || rows > MOST_ROWS || runs < 1 || heap < LEAST_HEAP,
        "--rows must be from 1 to %d, --runs at least 1, --heap at least %d"
            .formatted(MOST_ROWS, LEAST_HEAP));
    Path directory = Files.createTempDirectory("equipoise-bench-bounds");
    try {
      Files.writeString(directory.resolve(BoundsRounds.SPEC), BoundsWorkload.SPEC);
      Path log = directory.resolve(BoundsRounds.LOG);
      BoundsWorkload.write(log, rows, seed);
      progress(rows + " rows, " + Files.size(log) + " bytes generated");
      print(
          report(
              BenchmarkTurns.run(
                  new OptionsBuilder()
                      .include(BoundsRounds.class.getName())
                      .param("directory", directory.toString())
                      .param("rows", String.valueOf(rows))
                      .jvmArgsAppend("-Xmx" + heap + "m")
                      .warmupIterations(0)
                      .measurementIterations(1),
                  runs,
                  err())));
      return 0;
    } finally {
      Directories.delete(directory);
    }
  }

  private Map<String, Object> report(List<Series> measured) {
    Series jobMillis = Series.of(measured, "job");
    Series plainMillis = Series.of(measured, "plain");
    double plain = 1e3 * rows / plainMillis.median();
    double job = 1e3 * rows / jobMillis.median();
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(
        "what",
        "median rows per second of equipoise bounds, from its arguments to its report, over those"
            + " of a loop that reads lines, splits them and counts in a map");
    detail.put("rowsPerSecond", job);
    detail.put("plainRowsPerSecond", plain);
    detail.put("peakHeapBytes", jobMillis.quantile("peakHeapBytes", 1));
    detail.put("maxHeapBytes", jobMillis.quantile("maxHeapBytes", 1));
    detail.put("rows", rows);
    detail.put("jobSeconds", seconds(jobMillis));
    detail.put("plainSeconds", seconds(plainMillis));
    detail.put("processors", Runtime.getRuntime().availableProcessors());
    detail.put("seed", seed);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("ratio", job / plain);
    report.put("detail", detail);
    return report;
  }

  private static List<Double> seconds(Series millis) {
    return millis.turns().stream().map(turn -> turn.getPrimaryResult().getScore() / 1e3).toList();
  }

  private void print(Map<String, Object> report) {
    Map<?, ?> detail = (Map<?, ?>) report.getOrDefault("detail", Map.of());
    write(
        report,
        out ->
            out.printf(
                Locale.ROOT,
                "%.2f million rows a second, %.2f times the plain loop's; at most %.0f MB of a"
                    + " heap of %.0f MB%n",
                (Double) detail.get("rowsPerSecond") / 1e6,
                (Double) report.getOrDefault("ratio", Double.NaN),
                (Double) detail.get("peakHeapBytes") / 1e6,
                (Double) detail.get("maxHeapBytes") / 1e6));
  }
}
