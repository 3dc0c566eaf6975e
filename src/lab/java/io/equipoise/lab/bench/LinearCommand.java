package io.equipoise.lab.bench;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.TextTable;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the time of LinUCB rounds: {@code bench linear}. */
@Command(
    name = "linear",
    description = {
      "Compares LinUCB with a model per arm to a plain double loop that makes the same choices. A"
          + " round is one decision and one update in one thread. The loop has two forms: theta is"
          + " updated, or computed as A^-1 b for every arm (textbook).",
      "Also compares decisions with their fairness record and one update, by how effects are"
          + " bounded: contrast to ellipsoid, and joint to sub-gaussian over cells."
    },
    mixinStandardHelpOptions = true)
final class LinearCommand extends BenchCommand {
  private static final int COMPARED_ROUNDS = 1_000;
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  @Mixin private BenchmarkTurns benchmarkTurns = new BenchmarkTurns();

  @Option(
      names = "--only",
      defaultValue = "",
      description = "Measures only workloads with this prefix: i:, ii, iii, iv, v (default: all).")
  private String only;

  @Option(
      names = "--vowpal-wabbit",
      paramLabel = "JAR",
      converter = InputFile.class,
      description =
          "Also measures Vowpal Wabbit from this jar: com.github.vowpalwabbit:vw-jni of Maven"
              + " Central.")
  private @Nullable Path vowpal;

  @Override
  public Integer call() {
    List<String> workloads = LinearWorkload.names(only);
    List<String> audited = AuditedWorkload.names(only);
    refuse(
        !benchmarkTurns.isValid() || (workloads.isEmpty() && audited.isEmpty()),
        "--turns must be at least 0, milliseconds at least 1, --only a prefix of a workload");
    List<Map<String, Object>> rows = workloads.isEmpty() ? List.of() : bare(workloads);
    List<Map<String, Object>> auditedRows = new ArrayList<>();
    for (String workload : audited) {
      auditedRows.add(audited(workload));
    }
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workloads", rows);
    report.put("audited", auditedRows);
    report.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    write(
        report,
        out -> {
          print(rows, out);
          print(auditedRows, out);
        });
    return 0;
  }

  private List<Map<String, Object>> bare(List<String> workloads) {
    List<String> players = new ArrayList<>(List.of("LIBRARY", "PLAIN", "TEXTBOOK"));
    if (vowpal != null) {
      players.addAll(List.of("VOWPAL_EPSILON_GREEDY", "VOWPAL_REGCB"));
      // JMH starts its JVMs with the class path of this one.
      System.setProperty(
          "java.class.path", System.getProperty("java.class.path") + File.pathSeparator + vowpal);
    }
    List<Series> measured =
        benchmarkTurns.measured(
            new OptionsBuilder()
                .include(LinearRounds.class.getName())
                .param("workload", workloads.toArray(String[]::new))
                .param("player", players.toArray(String[]::new))
                .addProfiler(GCProfiler.class),
            err());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (String workload : workloads) {
      rows.add(row(workload, players, measured));
    }
    return rows;
  }

  /** Measures one workload under both bounds; the ratio is the cost of the first by the second. */
  private Map<String, Object> audited(String workload) {
    List<String> bounds = AuditedWorkload.bounds(workload);
    List<Series> measured =
        benchmarkTurns.measured(
            new OptionsBuilder()
                .include(AuditedRounds.class.getName())
                .param("workload", workload)
                .param("bound", bounds.toArray(String[]::new)),
            err());
    Map<String, Series> nanos = new LinkedHashMap<>();
    bounds.forEach(bound -> nanos.put(bound, Series.of(measured, workload, bound)));
    Map<String, Double> medians = each(nanos, .5);
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("workload", workload);
    row.put("ratio", medians.get(bounds.get(0)) / medians.get(bounds.get(1)));
    row.put("nanosARound", medians);
    row.put("leastNanosARound", each(nanos, 0));
    row.put("greatestNanosARound", each(nanos, 1));
    return row;
  }

  private static Map<String, Object> row(
      String workload, List<String> players, List<Series> measured) {
    Map<String, Series> nanos = new LinkedHashMap<>();
    players.forEach(player -> nanos.put(player, Series.of(measured, workload, player)));
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("workload", workload);
    Map<String, Double> medians = each(nanos, .5);
    row.put("ratio", medians.get("PLAIN") / medians.get("LIBRARY"));
    row.put("textbookRatio", medians.get("TEXTBOOK") / medians.get("LIBRARY"));
    row.put("nanosARound", medians);
    row.put("leastNanosARound", each(nanos, 0));
    row.put("greatestNanosARound", each(nanos, 1));
    row.put("bytesAllocatedARound", nanos.get("LIBRARY").quantile(ALLOCATED, .5));
    compareChoices(LinearWorkload.named(workload), row);
    return row;
  }

  private static Map<String, Double> each(Map<String, Series> nanos, double share) {
    Map<String, Double> each = new LinkedHashMap<>();
    nanos.forEach(
        (player, series) -> each.put(player, series.quantile(ProcessorTime.NANOS, share)));
    return each;
  }

  /** Reports how often the plain loops choose another arm, and how many widths are computed. */
  private static void compareChoices(LinearWorkload workload, Map<String, Object> row) {
    LibraryLinUcb library = new LibraryLinUcb(workload);
    List<IntSupplier> loops =
        List.of(
            LinearRounds.Implementation.PLAIN.start(workload),
            LinearRounds.Implementation.TEXTBOOK.start(workload));
    long different = 0;
    long widths = 0;
    for (int round = 0; round < COMPARED_ROUNDS; round++) {
      int chosen = library.next();
      widths += library.visited();
      different += loops.stream().filter(loop -> loop.getAsInt() != chosen).count();
    }
    row.put("differentChoices", different);
    row.put("widthsComputedARound", (double) widths / COMPARED_ROUNDS);
  }

  private static void print(List<Map<String, Object>> rows, PrintWriter out) {
    for (Map<String, Object> row : rows) {
      TextTable table = new TextTable("measure", "value");
      row.forEach((measure, value) -> table.row(measure, String.valueOf(value)));
      table.lines().forEach(out::println);
    }
  }
}
