package io.equipoise.lab.bench;

import io.equipoise.cli.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures questions about growing graphs: {@code bench causal}. */
@Command(
    name = "causal",
    description = {
      "Measures d-separation and minimal separators on growing random graphs against a naive"
          + " reference, and identification on graphs of 70 nodes.",
      "The reference connects each district with its parents in an undirected graph, searches it,"
          + " and removes one node after the other. It skips sizes that would take too long.",
      "Reports median processor time; for identification, median elapsed time."
    },
    mixinStandardHelpOptions = true)
final class CausalBenchCommand extends BenchCommand {
  private static final int MIN_NODES = 100;

  /** The naive search for a minimal separator is quadratic: half an hour at 10,000 nodes. */
  private static final int LARGEST_NAIVE_MINIMAL = 1000;

  @Mixin private BenchmarkTurns benchmarkTurns = new BenchmarkTurns();

  @Option(
      names = "--nodes",
      split = ",",
      defaultValue = "100,1000,10000,100000",
      description = "Graph sizes. Default: ${DEFAULT-VALUE}.")
  private List<Integer> sizes = new ArrayList<>();

  @Option(
      names = "--graphs",
      defaultValue = "500",
      description = "Number of graphs of 70 nodes for identification. Default: ${DEFAULT-VALUE}.")
  private int graphs;

  @Option(names = "--seed", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
  private long seed;

  /** Returns the exit code. */
  @Override
  public Integer call() {
    refuse(
        !benchmarkTurns.isValid() || graphs < 1 || Collections.min(sizes) < MIN_NODES,
        "--turns must be at least 0, --graphs and milliseconds at least 1, --nodes at least "
            + MIN_NODES);
    List<Series> separation =
        benchmarkTurns.measured(questions("(separated|naiveSeparated|minimal)", sizes), err());
    List<Integer> small = sizes.stream().filter(size -> size <= LARGEST_NAIVE_MINIMAL).toList();
    List<Series> naiveMinimal =
        small.isEmpty()
            ? List.of()
            : benchmarkTurns.measured(questions("naiveMinimal", small), err());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int size : sizes) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("nodes", size);
      put(row, "separated", separation, millis(Series.of(separation, "naiveSeparated", size)));
      put(
          row,
          "minimal",
          separation,
          small.contains(size)
              ? millis(Series.of(naiveMinimal, "naiveMinimal", size))
              : Double.NaN);
      rows.add(row);
    }
    List<Series> identified =
        benchmarkTurns.measured(
            new OptionsBuilder()
                .include(Identifications.class.getName())
                .param("graphs", String.valueOf(graphs))
                .param("seed", String.valueOf(seed)),
            err());
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("seed", seed);
    report.put("separation", rows);
    report.put("growth", growth(rows));
    report.put("identification", identification(identified.get(0)));
    write(report, out -> print(report, rows, out));
    return 0;
  }

  private ChainedOptionsBuilder questions(String methods, List<Integer> nodes) {
    return new OptionsBuilder()
        .include(GraphQuestions.class.getName() + "\\." + methods + "$")
        .param("nodes", nodes.stream().map(String::valueOf).toArray(String[]::new))
        .param("seed", String.valueOf(seed));
  }

  private static void put(
      Map<String, Object> row, String method, List<Series> measured, double naive) {
    double ours = millis(Series.of(measured, method, row.get("nodes")));
    row.put(method + "_ms", ours);
    row.put("naive_" + method + "_ms", Double.isNaN(naive) ? null : naive);
    row.put(method + "_ratio", Double.isNaN(naive) ? null : naive / ours);
  }

  private static double millis(Series series) {
    return series.quantile(ProcessorTime.NANOS, .5) / 1e6;
  }

  /** Returns the exponents k of time = c nodes^k between the two largest graphs. */
  private static Map<String, Object> growth(List<Map<String, Object>> rows) {
    Map<String, Object> growth = new LinkedHashMap<>();
    if (rows.size() > 1) {
      Map<String, Object> small = rows.get(rows.size() - 2);
      Map<String, Object> large = rows.get(rows.size() - 1);
      for (String what : List.of("separated", "minimal")) {
        double times = number(large, what + "_ms") / number(small, what + "_ms");
        double nodes = number(large, "nodes") / number(small, "nodes");
        growth.put(what + "_exponent", Math.log(times) / Math.log(nodes));
      }
    }
    return growth;
  }

  private static double number(Map<String, Object> row, String field) {
    return row.get(field) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private Map<String, Object> identification(Series identified) {
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("nodes", Identifications.NODES);
    found.put("graphs", graphs);
    found.put("median_ms", percentile(identified, 50));
    found.put("p99_ms", percentile(identified, 99));
    found.put("max_ms", percentile(identified, 100));
    return found;
  }

  private static double percentile(Series series, double percent) {
    return Series.quantile(
        series.turns(), turn -> turn.getPrimaryResult().getStatistics().getPercentile(percent), .5);
  }

  private static void print(
      Map<String, Object> report, List<Map<String, Object>> rows, PrintWriter out) {
    TextTable table =
        new TextTable(
            "nodes", "separated ms", "naive ms", "ratio", "minimal ms", "naive ms", "ratio");
    for (Map<String, Object> row : rows) {
      table.row(
          shown(row.get("nodes")),
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
  }

  private static String shown(Object value) {
    return value instanceof Double number
        ? String.format(Locale.ROOT, "%.3f", number)
        : value == null ? "-" : value.toString();
  }
}
