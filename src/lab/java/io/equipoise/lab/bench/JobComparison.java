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
 * Compares the full job of two distributions, or under two specs: each turn runs both, one after
 * the other, and every second turn in the other order, since a warm process becomes faster. Fields
 * of the JSON:
 *
 * <ul>
 *   <li>{@code ratio}: median ratio of inputs per second, first job over second
 *   <li>{@code ratios}: spreads of the turns' {@code inputsPerSecond} and {@code processorTime},
 *       each with {@code median, least, greatest}
 *   <li>{@code jobs}: for each its {@code name}, spreads of {@code inputsPerSecond} and {@code
 *       processorMicrosPerInput}, and {@code bytesPerRecord} by topic
 *   <li>{@code machine}
 * </ul>
 */
final class JobComparison {
  private final List<ComparedJob> jobs;
  private final int turns;
  private final Consumer<String> progress;

  JobComparison(ComparedJob first, ComparedJob second, int turns, Consumer<String> progress) {
    this.jobs = List.of(first, second);
    this.turns = turns;
    this.progress = progress;
  }

  /** Runs a job once over all inputs. */
  @FunctionalInterface
  interface Run {
    FullJob run() throws IOException, InterruptedException;
  }

  /** Names a job and runs it. */
  record ComparedJob(String name, Run job) {
    /**
     * Runs {@code bench passthrough} of a distribution in a new process.
     *
     * @param arguments of the verb; the distribution must know them
     */
    static ComparedJob of(Path home, List<String> arguments) {
      return new ComparedJob(home.toString(), () -> FullJob.of(BenchProcess.run(home, arguments)));
    }

    /** Runs the full job of a deployment in this process. */
    static ComparedJob of(String name, BenchDeployment deployment) {
      return new ComparedJob(name, () -> FullJob.of(deployment.run(JobRun.Job.FULL, null)));
    }
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

    private static FullJob of(JobRun run) {
      Map<String, Double> bytes = new TreeMap<>();
      run.committed()
          .topics()
          .forEach(
              (output, topic) -> {
                if (topic.count() > 0) {
                  bytes.put(output.name(), topic.meanBytes());
                }
              });
      return new FullJob(run.inputsPerSecond(), run.cpuMicrosPerInput(), bytes);
    }
  }

  BenchReport report() throws IOException, InterruptedException {
    List<List<FullJob>> measured = List.of(new ArrayList<>(), new ArrayList<>());
    for (int turn = 1; turn <= turns; turn++) {
      for (int step = 0; step < jobs.size(); step++) {
        int i = turn % 2 == 1 ? step : jobs.size() - 1 - step;
        FullJob full = jobs.get(i).job().run();
        measured.get(i).add(full);
        progress.accept(
            String.format(
                Locale.ROOT,
                "turn %d %s: %.0f inputs/s, %.1f us of processor time each",
                turn,
                jobs.get(i).name(),
                full.inputsPerSecond(),
                full.processorMicros()));
      }
    }
    return report(measured);
  }

  private BenchReport report(List<List<FullJob>> measured) {
    MeasuredSpread inputsPerSecond = ratio(measured, FullJob::inputsPerSecond);
    MeasuredSpread processorTime = ratio(measured, FullJob::processorMicros);
    TextTable speeds = new TextTable("full job of", "inputs/s", "processor, us/input");
    List<Map<String, Object>> compared = new ArrayList<>();
    TreeSet<String> topics = new TreeSet<>();
    for (int i = 0; i < jobs.size(); i++) {
      List<FullJob> runs = measured.get(i);
      MeasuredSpread speed = MeasuredSpread.of(runs, FullJob::inputsPerSecond);
      MeasuredSpread micros = MeasuredSpread.of(runs, FullJob::processorMicros);
      speeds.row(jobs.get(i).name(), speed.text(0), micros.text(1));
      topics.addAll(runs.get(0).bytesPerRecord().keySet());
      Map<String, Object> job = new LinkedHashMap<>();
      job.put("name", jobs.get(i).name());
      job.put("inputsPerSecond", speed);
      job.put("processorMicrosPerInput", micros);
      job.put("bytesPerRecord", runs.get(0).bytesPerRecord());
      compared.add(job);
    }
    speeds.row("ratio", inputsPerSecond.text(2), processorTime.text(2));
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
        .field("jobs", compared)
        .field("machine", BenchReport.machine())
        .table(speeds)
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
