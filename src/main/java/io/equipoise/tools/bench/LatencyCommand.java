package io.equipoise.tools.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.JsonOutput;
import io.equipoise.job.options.Delivery;
import io.equipoise.tools.DeliveryConverter;
import io.equipoise.tools.QuietLog;
import io.equipoise.tools.cluster.Distribution;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The verb {@code bench latency}. Fields of its JSON: {@code settings}, {@code machine}, and {@code
 * rows} with the components of {@link LatencyRow}.
 */
@Command(
    name = "latency",
    description = {
      "Measures the time from the append of a context until a consumer sees its decision, of the"
          + " full job and of an identity job under the same load.",
      "Each pair of rate and delivery runs in a new process, so the cold rows of the full job"
          + " include class loading and compilation. The identity job runs second in that process.",
      "The load starts before the job. A wait before RUNNING is not counted."
    },
    mixinStandardHelpOptions = true)
final class LatencyCommand implements Callable<Integer> {
  /** The people of the load repeat after so many contexts. */
  private static final int PEOPLE = 10_000;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();
  @Mixin private JobSizeOptions size = new JobSizeOptions();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      defaultValue = "20,200,2000",
      description = "Contexts per second (default: ${DEFAULT-VALUE}).")
  private List<Integer> rates = List.of();

  @Option(
      names = "--delivery",
      split = ",",
      paramLabel = "MODE",
      defaultValue = "exactly-once,at-least-once",
      converter = DeliveryConverter.class,
      description = "exactly-once, at-least-once (default: ${DEFAULT-VALUE}).")
  private List<Delivery> deliveries = List.of();

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description =
          "Duration of the warm phase; 0 measures only the start (default:" + " ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--cold",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description =
          "Contexts of this time from RUNNING on, and earlier ones, are the cold phase (default:"
              + " ${DEFAULT-VALUE}).")
  private int cold;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "Time from RUNNING until the warm phase (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rates.stream().anyMatch(rate -> rate < 1)
        || seconds < 0
        || cold < 1
        || warmUp < cold
        || !size.isPossible()) {
      throw new ParameterException(
          command.commandLine(),
          "--warm-up must be at least --cold, --seconds 0, all other numbers at least 1");
    }
    QuietLog.set();
    boolean isAlone = rates.size() == 1 && deliveries.size() == 1;
    List<LatencyRow> rows = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      for (int rate : rates) {
        progress("%s, %d contexts/s".formatted(delivery, rate));
        rows.addAll(isAlone ? measured(delivery, rate) : measuredApart(delivery, rate));
      }
    }
    report(rows).print(json, command.commandLine().getOut());
    return 0;
  }

  private List<LatencyRow> measured(Delivery delivery, int rate) throws InterruptedException {
    Map<String, String> settings = Map.of("equipoise.delivery", delivery.toString());
    Workload workload =
        workloadOptions.workload(
            text -> Workload.of(text, Math.max(PEOPLE, size.segments()), size.segments()));
    List<LatencyRow> rows = new ArrayList<>();
    RecordTemplates recordTemplates = null;
    for (JobRun.Job job : List.of(JobRun.Job.FULL, JobRun.Job.IDENTITY)) {
      try (BenchDeployment deployment =
          BenchDeployment.start(workload, size.parallelism(), settings)) {
        LatencyRun run =
            new LatencyRun(
                deployment,
                job,
                rate,
                Duration.ofSeconds(cold),
                Duration.ofSeconds(warmUp),
                Duration.ofSeconds(seconds));
        rows.addAll(run.measure(recordTemplates));
        if (job == JobRun.Job.FULL) {
          recordTemplates = RecordTemplates.of(deployment.committed(), workload);
        }
      }
    }
    return rows;
  }

  /** Measures in a process of its own, whose code is not yet compiled. */
  private List<LatencyRow> measuredApart(Delivery delivery, int rate)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("latency"));
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("--delivery", delivery);
    options.put("--rates", rate);
    options.put("--seconds", seconds);
    options.put("--cold", cold);
    options.put("--warm-up", warmUp);
    options.put("--parallelism", size.parallelism());
    options.put("--segments", size.segments());
    options.forEach((name, value) -> arguments.addAll(List.of(name, value.toString())));
    arguments.addAll(workloadOptions.arguments());
    JsonNode report = BenchProcess.run(Distribution.ofThisProcess().home(), arguments);
    return List.of(new ObjectMapper().convertValue(report.get("rows"), LatencyRow[].class));
  }

  private BenchReport report(List<LatencyRow> rows) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("seconds", seconds);
    settings.put("warmUpSeconds", warmUp);
    settings.put("coldSeconds", cold);
    settings.put("parallelism", size.parallelism());
    settings.put("segments", size.segments());
    return new BenchReport()
        .field("settings", settings)
        .field("machine", BenchReport.machine())
        .field("rows", rows)
        .table(LatencyRow.table(rows));
  }

  private void progress(String line) {
    PrintWriter err = command.commandLine().getErr();
    err.println(line);
    err.flush();
  }
}
