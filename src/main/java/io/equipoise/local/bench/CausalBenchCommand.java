package io.equipoise.local.bench;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code bench causal}. */
@Command(
    name = "causal",
    description = {
      "Measures separation and minimal separators on growing random graphs, against a naive"
          + " reference in the same run, and identification on graphs of 70 nodes.",
      "The reference joins each district with its parents in an undirected graph, searches that,"
          + " and leaves out one node after the other; it stops where it would take too long.",
      "Times are of the processor, medians of the runs."
    },
    mixinStandardHelpOptions = true)
final class CausalBenchCommand implements Callable<Integer> {
  private static final int MAX_RUNS = 20;
  private static final int MIN_NODES = 100;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--nodes",
      split = ",",
      defaultValue = "100,1000,10000,100000",
      description = "Sizes of the graphs. Default: ${DEFAULT-VALUE}.")
  private List<Integer> sizes = new ArrayList<>();

  @Option(
      names = "--runs",
      defaultValue = "9",
      description =
          "Questions to each graph; the report has the median. Default: " + "${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--graphs",
      defaultValue = "500",
      description = "Graphs of 70 nodes to identify an effect in. Default: ${DEFAULT-VALUE}.")
  private int graphs;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  /** Returns the exit code. */
  @Override
  public Integer call() {
    if (runs < 1 || runs > MAX_RUNS || graphs < 1 || Collections.min(sizes) < MIN_NODES) {
      throw new ParameterException(
          command.commandLine(),
          "runs must be from 1 to "
              + MAX_RUNS
              + ", graphs at least 1, nodes at least "
              + MIN_NODES);
    }
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    SeparationBench separation = new SeparationBench(seed, runs);
    separation.warmUp();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int size : sizes) {
      rows.add(separation.measured(size));
      err.println(size + " nodes measured");
      err.flush();
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("seed", seed);
    report.put("separation", rows);
    report.put("growth", SeparationBench.growth(rows));
    report.put("identification", new IdentificationBench(seed).measured(graphs));
    if (!json.takesStandardOutput()) {
      print(report, rows, out);
    }
    json.write(report, out);
    return 0;
  }

  private static void print(
      Map<String, Object> report, List<Map<String, Object>> rows, PrintWriter out) {
    TextTable table =
        new TextTable(
            "nodes",
            "edges",
            "separated ms",
            "naive ms",
            "ratio",
            "minimal ms",
            "naive ms",
            "ratio");
    for (Map<String, Object> row : rows) {
      table.row(
          shown(row.get("nodes")),
          shown(row.get("edges")),
          shown(row.get("separated_ms")),
          shown(row.get("naive_separated_ms")),
          shown(row.get("separated_ratio")),
          shown(row.get("minimal_ms")),
          shown(row.get("naive_minimal_ms")),
          shown(row.get("minimal_ratio")));
    }
    table.lines().forEach(out::println);
    out.println("growth " + report.get("growth"));
    out.println("identification " + report.get("identification"));
    out.flush();
  }

  private static String shown(Object value) {
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.3f", number)
        : value == null ? "-" : value.toString();
  }
}
