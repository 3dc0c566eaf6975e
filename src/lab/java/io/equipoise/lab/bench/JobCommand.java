package io.equipoise.lab.bench;

import io.equipoise.cli.QuietLog;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobOptions;
import io.equipoise.tools.DeliveryConverter;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Runs one job that another verb measures, in a process of its own: the hidden verb {@code bench
 * job}. {@link JobProcess} starts and ends it.
 */
@Command(
    name = "job",
    hidden = true,
    description = {
      "Runs a job on the topics of another verb of bench. Prints a line before it submits the job,"
          + " and the time at which every task runs, in epoch ms.",
      "At the end of its standard input it commits the job's output with a checkpoint and ends."
    },
    mixinStandardHelpOptions = true)
final class JobCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();
  @Mixin private JobSizeOptions size = new JobSizeOptions();

  @Option(names = "--brokers", required = true, description = "Bootstrap servers.")
  private String brokers = "";

  @Option(names = "--deployment", required = true, description = "Names the topics.")
  private String deployment = "";

  @Option(
      names = "--delivery",
      required = true,
      converter = DeliveryConverter.class,
      description = "exactly-once or at-least-once.")
  private Delivery delivery = Delivery.EXACTLY_ONCE;

  @Option(
      names = "--identity-of",
      paramLabel = "DEPLOYMENT",
      description = "Runs the identity job with the records of this deployment.")
  private @Nullable String original;

  /** Connects to the topics of a load without an end; both processes must name the same ones. */
  static BenchTopics topics(
      WorkloadOptions workload,
      JobSizeOptions size,
      String brokers,
      String deployment,
      Delivery delivery) {
    return BenchTopics.of(
        workload.workload(text -> Workload.endless(text, size.segments())),
        brokers,
        deployment,
        size.parallelism(),
        Map.of(JobOptions.DELIVERY.key(), delivery.toString()));
  }

  /**
   * Returns the arguments for a job on these topics.
   *
   * @param original topics whose records the identity job emits; null for the full job
   */
  static List<String> arguments(
      BenchTopics topics, @Nullable BenchTopics original, WorkloadOptions workload) {
    List<String> arguments = new ArrayList<>(List.of("bench", "job"));
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("--brokers", topics.config().kafka().getProperty("bootstrap.servers"));
    options.put("--deployment", topics.config().topics().deployment());
    options.put("--delivery", topics.config().delivery());
    options.put("--parallelism", topics.config().partitions());
    options.put("--segments", topics.workload().segments());
    if (original != null) {
      options.put("--identity-of", original.config().topics().deployment());
    }
    options.forEach((name, value) -> arguments.addAll(List.of(name, value.toString())));
    arguments.addAll(workload.arguments());
    return arguments;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    QuietLog.set();
    JobRun.Job job = original == null ? JobRun.Job.FULL : JobRun.Job.IDENTITY;
    RecordTemplates recordTemplates = original == null ? null : templates(original);
    try (BenchDeployment started = BenchDeployment.start(topics(deployment))) {
      PrintWriter out = command.commandLine().getOut();
      out.println("submitting the job");
      out.flush();
      LocalJob running = started.start(job, recordTemplates, null);
      out.println(Clock.systemUTC().millis());
      out.flush();
      System.in.transferTo(OutputStream.nullOutputStream());
      String unused = running.checkpoint();
      running.cancel();
    }
    return 0;
  }

  private RecordTemplates templates(String of) throws InterruptedException {
    try (BenchTopics topics = topics(of)) {
      return RecordTemplates.of(topics.committed(), topics.workload());
    }
  }

  private BenchTopics topics(String name) {
    return topics(workloadOptions, size, brokers, name, delivery);
  }
}
