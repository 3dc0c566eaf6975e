package io.equipoise.lab.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.cli.TextTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Compares the full job of two distributions: each turn runs {@code bench passthrough} of both, one
 * after the other, in processes of their own. Fields of the JSON:
 *
 * <ul>
 *   <li>{@code ratio}: median ratio of inputs per second, first distribution over second
 *   <li>{@code ratios}: spreads of the turns' {@code inputsPerSecond} and {@code processorTime},
 *       each with {@code median, least, greatest}
 *   <li>{@code distributions}: for each its {@code home}, spreads of {@code inputsPerSecond} and
 *       {@code processorMicrosPerInput}, and {@code bytesPerRecord} by topic
 *   <li>{@code machine}
 * </ul>
 */
final class DistributionComparison {
  private final List<Path> homes;
  private final List<String> arguments;
  private final int turns;
  private final Consumer<String> progress;

  /**
   * Creates a comparison.
   *
   * @param arguments of {@code bench passthrough}; every compared distribution must know them
   */
  DistributionComparison(
      Path ours, Path theirs, List<String> arguments, int turns, Consumer<String> progress) {
    this.homes = List.of(ours, theirs);
    this.arguments = List.copyOf(arguments);
    this.turns = turns;
    this.progress = progress;
  }

  /**
   * The full job in a report of any version. Other fields are ignored.
   *
   * @param processorMicros of the whole process for each input; NaN in a report without it
   * @param bytesPerRecord mean bytes of a value by topic, for topics with records
   */
  record FullJob(
      double inputsPerSecond, double processorMicros, Map<String, Double> bytesPerRecord) {

    /**
     * Reads a report.
     *
     * @throws IllegalStateException if it contains no throughput of the full job
     */
    static FullJob of(JsonNode report) {
      JsonNode full = report.at("/detail/FULL");
      List<Double> runs = new ArrayList<>();
      full.path("inputsPerSecond").forEach(run -> runs.add(run.doubleValue()));
      if (runs.isEmpty()) {
        throw new IllegalStateException("the report has no detail.FULL.inputsPerSecond");
      }
      Map<String, Double> bytes = new TreeMap<>();
      full.path("committed")
          .fields()
          .forEachRemaining(
              topic -> {
                double records = topic.getValue().path("records").doubleValue();
                if (records > 0) {
                  bytes.put(topic.getKey(), topic.getValue().path("bytes").doubleValue() / records);
                }
              });
      return new FullJob(
          MeasuredSpread.of(runs, run -> run).median(),
          full.path("processorMicrosPerInput").asDouble(Double.NaN),
          bytes);
    }
  }

  BenchReport report() throws IOException, InterruptedException {
    List<List<FullJob>> measured = List.of(new ArrayList<>(), new ArrayList<>());
    for (int turn = 1; turn <= turns; turn++) {
      for (int i = 0; i < homes.size(); i++) {
        FullJob full = FullJob.of(BenchProcess.run(homes.get(i), arguments));
        measured.get(i).add(full);
        progress.accept(
            String.format(
                Locale.ROOT,
                "turn %d %s: %.0f inputs/s, %.1f us of processor time each",
                turn,
                homes.get(i),
                full.inputsPerSecond(),
                full.processorMicros()));
      }
    }
    return report(measured);
  }

  private BenchReport report(List<List<FullJob>> measured) {
    MeasuredSpread inputsPerSecond = ratio(measured, FullJob::inputsPerSecond);
    MeasuredSpread processorTime = ratio(measured, FullJob::processorMicros);
    TextTable jobs = new TextTable("full job of", "inputs/s", "processor, us/input");
    List<Map<String, Object>> distributions = new ArrayList<>();
    TreeSet<String> topics = new TreeSet<>();
    for (int i = 0; i < homes.size(); i++) {
      List<FullJob> runs = measured.get(i);
      MeasuredSpread speed = MeasuredSpread.of(runs, FullJob::inputsPerSecond);
      MeasuredSpread micros = MeasuredSpread.of(runs, FullJob::processorMicros);
      jobs.row(homes.get(i).toString(), speed.text(0), micros.text(1));
      topics.addAll(runs.get(0).bytesPerRecord().keySet());
      Map<String, Object> distribution = new LinkedHashMap<>();
      distribution.put("home", homes.get(i).toString());
      distribution.put("inputsPerSecond", speed);
      distribution.put("processorMicrosPerInput", micros);
      distribution.put("bytesPerRecord", runs.get(0).bytesPerRecord());
      distributions.add(distribution);
    }
    jobs.row("ratio", inputsPerSecond.text(2), processorTime.text(2));
    TextTable bytes = new TextTable("bytes/record", "first", "second");
    for (String topic : topics) {
      bytes.row(topic, bytes(measured.get(0), topic), bytes(measured.get(1), topic));
    }
    Map<String, Object> ratios = new LinkedHashMap<>();
    ratios.put("inputsPerSecond", inputsPerSecond);
    ratios.put("processorTime", processorTime);
    return new BenchReport()
        .field("ratio", inputsPerSecond.median())
        .field("ratios", ratios)
        .field("distributions", distributions)
        .field("machine", BenchReport.machine())
        .table(jobs)
        .table(bytes);
  }

  private static MeasuredSpread ratio(
      List<List<FullJob>> measured, ToDoubleFunction<FullJob> measure) {
    return MeasuredSpread.ofRatios(measured.get(0), measured.get(1), measure);
  }

  private static String bytes(List<FullJob> runs, String topic) {
    Double bytes = runs.get(0).bytesPerRecord().get(topic);
    return bytes == null ? "-" : String.format(Locale.ROOT, "%.0f", bytes);
  }
}
