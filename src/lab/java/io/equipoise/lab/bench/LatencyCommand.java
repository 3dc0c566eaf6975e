package io.equipoise.lab.bench;

import io.equipoise.cli.QuietLog;
import io.equipoise.job.options.Delivery;
import io.equipoise.tools.DeliveryConverter;
import io.equipoise.tools.EmbeddedBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the waits of contexts for their decisions: {@code bench latency}. Fields of its JSON:
 * {@code settings}, {@code machine}, and {@code rows} with the components of {@link LatencyRow}.
 */
@Command(
    name = "latency",
    description = {
      "Measures the time from the append of a context until a consumer sees its decision, of the"
          + " full job and of an identity job under the same load.",
      "Each job runs in a new process, so its cold rows include class loading and compilation. The"
          + " broker and the load have run before, in this process.",
      "The load begins when every task of the job runs. With --backlog it begins earlier; a wait"
          + " before that time is not counted."
    },
    mixinStandardHelpOptions = true)
final class LatencyCommand extends BenchCommand {
  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();
  @Mixin private JobSizeOptions size = new JobSizeOptions();

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
      names = "--backlog",
      description =
          "Begins the load before the job is submitted. The cold phase is then called backlog and"
              + " includes the contexts that the job finds.")
  private boolean hasBacklog;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "20",
      description = "Time from RUNNING until the warm phase (default: ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--broker-warm-up",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "Duration of a discarded load at the highest rate, for broker and load to be warm; 0 plays"
              + " none (default: ${DEFAULT-VALUE}).")
  private int brokerWarmUp;

  private int deployments;

  @Override
  public Integer call() throws IOException, InterruptedException {
    refuse(
        rates.stream().anyMatch(rate -> rate < 1)
            || seconds < 0
            || brokerWarmUp < 0
            || cold < 1
            || warmUp < cold
            || !size.isPossible(),
        "--warm-up must be at least --cold, --seconds and --broker-warm-up 0, all other numbers at"
            + " least 1");
    QuietLog.set();
    List<LatencyRow> rows = new ArrayList<>();
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      if (brokerWarmUp > 0) {
        progress("warm-up of the broker and the load");
        LatencyRun.Phases discarded =
            new LatencyRun.Phases(
                false, Duration.ofSeconds(brokerWarmUp), Duration.ZERO, Duration.ZERO);
        try (BenchTopics topics = topics(broker, deliveries.get(0))) {
          measured(topics, Collections.max(rates), discarded, null);
        }
      }
      LatencyRun.Phases phases =
          new LatencyRun.Phases(
              hasBacklog,
              Duration.ofSeconds(cold),
              Duration.ofSeconds(warmUp),
              Duration.ofSeconds(seconds));
      for (Delivery delivery : deliveries) {
        for (int rate : rates) {
          progress("%s, %d contexts/s".formatted(delivery, rate));
          try (BenchTopics full = topics(broker, delivery);
              BenchTopics identity = topics(broker, delivery)) {
            rows.addAll(measured(full, rate, phases, null));
            rows.addAll(measured(identity, rate, phases, full));
          }
        }
      }
    }
    write(report(rows));
    return 0;
  }

  private BenchTopics topics(EmbeddedBroker broker, Delivery delivery) {
    String deployment = "bench-" + ++deployments;
    return JobCommand.topics(
        workloadOptions, size, broker.bootstrapServers(), deployment, delivery);
  }

  /** Measures the full job, or the identity job with the records of a full job. */
  private List<LatencyRow> measured(
      BenchTopics topics, int rate, LatencyRun.Phases phases, @Nullable BenchTopics original)
      throws IOException, InterruptedException {
    topics.create();
    JobRun.Job job = original == null ? JobRun.Job.FULL : JobRun.Job.IDENTITY;
    return new LatencyRun(topics, job, rate, phases)
        .measure(JobCommand.arguments(topics, original, workloadOptions));
  }

  private BenchReport report(List<LatencyRow> rows) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("seconds", seconds);
    settings.put("warmUpSeconds", warmUp);
    settings.put("coldSeconds", cold);
    settings.put("backlog", hasBacklog);
    settings.put("brokerWarmUpSeconds", brokerWarmUp);
    settings.put("parallelism", size.parallelism());
    settings.put("segments", size.segments());
    return new BenchReport()
        .field("settings", settings)
        .field("machine", BenchReport.machine())
        .field("rows", rows)
        .table(LatencyRow.table(rows));
  }
}
