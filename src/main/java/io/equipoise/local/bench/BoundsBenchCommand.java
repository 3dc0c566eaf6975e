package io.equipoise.local.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.JsonOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code bench bounds}. */
@Command(
    name = "bounds",
    description = {
      "Measures the offline job on a random log: its rows a second relative "
          + "to a plain loop that reads, splits and counts in one thread. Both run "
          + "in the same process, in turns.",
      "That process gets a heap of its own, so that a job which held rows could not finish."
    },
    mixinStandardHelpOptions = true)
final class BoundsBenchCommand implements Callable<Integer> {
  private static final long MOST_ROWS = 1_000_000_000;
  private static final int LEAST_HEAP = 64;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

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
  public Integer call() throws IOException, InterruptedException {
    if (rows < 1 || rows > MOST_ROWS || runs < 1 || heap < LEAST_HEAP) {
      throw new ParameterException(
          command.commandLine(),
          "--rows must be from 1 to %d, --runs at least 1, --heap at least %d"
              .formatted(MOST_ROWS, LEAST_HEAP));
    }
    PrintWriter err = command.commandLine().getErr();
    Path directory = Files.createTempDirectory("equipoise-bench-bounds");
    List<String> names = List.of("spec.yaml", "log.csv", "report.json", "found.json");
    List<Path> files = names.stream().map(directory::resolve).toList();
    try {
      Files.writeString(files.get(0), BoundsWorkload.SPEC);
      BoundsWorkload.write(files.get(1), rows, seed);
      err.println(rows + " rows, " + Files.size(files.get(1)) + " bytes drawn");
      err.flush();
      int exit = measure(files);
      if (exit != 0) {
        err.println("the measured process ended with " + exit + "; what it said is above");
        err.flush();
        return 1;
      }
      tell(report(new ObjectMapper().readTree(files.get(3).toFile())));
      return 0;
    } finally {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    }
  }

  private int measure(List<Path> files) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder process =
        new ProcessBuilder(
                java.toString(),
                "-Xmx" + heap + "m",
                "-cp",
                System.getProperty("java.class.path"),
                BoundsRuns.class.getName(),
                files.get(0).toString(),
                files.get(1).toString(),
                files.get(2).toString(),
                files.get(3).toString(),
                String.valueOf(runs))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    Process measured = process.start();
    try {
      return measured.waitFor();
    } finally {
      measured.destroyForcibly();
    }
  }

  private Map<String, Object> report(JsonNode found) {
    double plain = rows / median(found.get("plainSeconds"));
    double job = rows / median(found.get("jobSeconds"));
    long peak = 0;
    for (JsonNode bytes : found.get("peakHeapBytes")) {
      peak = Math.max(peak, bytes.asLong());
    }
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put(
        "what",
        "median rows per second of equipoise bounds, from its arguments to its report, over those"
            + " of a loop that reads lines, splits them and counts in a map");
    detail.put("rowsPerSecond", job);
    detail.put("plainRowsPerSecond", plain);
    detail.put("peakHeapBytes", peak);
    detail.put("maxHeapBytes", found.get("maxHeapBytes").asLong());
    detail.put("rows", rows);
    detail.put("jobSeconds", found.get("jobSeconds"));
    detail.put("plainSeconds", found.get("plainSeconds"));
    detail.put("processors", Runtime.getRuntime().availableProcessors());
    detail.put("seed", seed);
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("ratio", job / plain);
    report.put("detail", detail);
    return report;
  }

  private static double median(JsonNode seconds) {
    double[] sorted =
        StreamSupport.stream(seconds.spliterator(), false)
            .flatMapToDouble(node -> DoubleStream.of(node.asDouble()))
            .sorted()
            .toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private void tell(Map<String, Object> report) {
    PrintWriter out = command.commandLine().getOut();
    if (!json.takesStandardOutput()) {
      Map<?, ?> detail = (Map<?, ?>) report.getOrDefault("detail", Map.of());
      out.printf(
          Locale.ROOT,
          "%.2f million rows a second, %.2f times the plain loop's; at most %.0f MB of a heap of"
              + " %.0f MB%n",
          (Double) detail.get("rowsPerSecond") / 1e6,
          (Double) report.getOrDefault("ratio", Double.NaN),
          (Long) detail.get("peakHeapBytes") / 1e6,
          (Long) detail.get("maxHeapBytes") / 1e6);
      out.flush();
    }
    json.write(report, out);
  }
}
