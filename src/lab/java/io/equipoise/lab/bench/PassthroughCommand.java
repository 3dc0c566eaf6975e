package io.equipoise.lab.bench;

import io.equipoise.cli.InputFile;
import io.equipoise.cli.InputPath;
import io.equipoise.cli.QuietLog;
import io.equipoise.lab.bench.JobComparison.ComparedJob;
import io.equipoise.tools.cluster.Distribution;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the job's throughput against an identity job: {@code bench passthrough}. */
@Command(
    name = "passthrough",
    description = {
      "Measures the throughput of the job relative to an identity job. The identity job has the"
          + " same sources, sinks, keying and checkpoints. For every input it writes as many"
          + " records of the same schemas and sizes, without state and decisions.",
      "With --against, compares the job with that of another distribution instead; with"
          + " --against-spec, with the same job under another spec."
    },
    mixinStandardHelpOptions = true)
final class PassthroughCommand extends BenchCommand {
  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();
  @Mixin private JobSizeOptions size = new JobSizeOptions();

  @Option(
      names = "--records",
      defaultValue = "200000",
      description = "Inputs of a run, half of them contexts (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--runs",
      defaultValue = "3",
      description = "Measured runs of each job (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Option(
      names = "--warm-ups",
      defaultValue = "4",
      description = "Warm-up runs of each job, which are discarded (default: ${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--against",
      paramLabel = "DIST",
      converter = InputPath.class,
      description =
          "Directory of another distribution, such as an older build. Each run starts bench"
              + " passthrough of both in turn, in new processes with the spec of each.")
  private @Nullable Path against;

  @Option(
      names = "--against-spec",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "Another Email Campaign spec. Each run runs the job under both in turn, in this process.")
  private @Nullable Path againstSpec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    refuse(
        records < 2 || runs < 1 || warmUps < 0 || !size.isPossible(),
        "--records must be at least 2, --warm-ups 0, all other numbers at least 1");
    refuse(
        against != null && (workloadOptions.hasSpec() || againstSpec != null),
        "--against excludes --spec and --against-spec: each distribution reads specs of its own");
    QuietLog.set();
    write(
        against != null
            ? comparison(against)
            : againstSpec != null ? specComparison(againstSpec) : passthrough());
    return 0;
  }

  private BenchReport passthrough() throws IOException, InterruptedException {
    Workload workload =
        workloadOptions.workload(text -> Workload.of(text, records / 2, size.segments()));
    try (BenchDeployment deployment =
        BenchDeployment.start(workload, size.parallelism(), Map.of())) {
      return new TimeComparison(deployment, warmUps, runs, this::progress).report().report();
    }
  }

  private BenchReport comparison(Path other) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("passthrough", "--runs", "1"));
    arguments.addAll(List.of("--records", Integer.toString(records)));
    arguments.addAll(List.of("--warm-ups", Integer.toString(warmUps)));
    arguments.addAll(List.of("--parallelism", Integer.toString(size.parallelism())));
    arguments.addAll(List.of("--segments", Integer.toString(size.segments())));
    arguments.addAll(workloadOptions.arguments());
    return new JobComparison(
            ComparedJob.of(Distribution.ofThisProcess().home(), arguments),
            ComparedJob.of(other, arguments),
            runs,
            this::progress)
        .report();
  }

  private BenchReport specComparison(Path other) throws IOException, InterruptedException {
    Function<String, Workload> kind = text -> Workload.of(text, records / 2, size.segments());
    Workload ours = workloadOptions.workload(kind);
    Workload theirs = workloadOptions.workload("--against-spec", other, kind);
    try (BenchDeployment first = BenchDeployment.start(ours, size.parallelism(), Map.of());
        BenchDeployment second = BenchDeployment.start(theirs, size.parallelism(), Map.of())) {
      first.topics().fill();
      second.topics().fill();
      for (int run = 0; run < warmUps; run++) {
        first.run(JobRun.Job.FULL, null);
        second.run(JobRun.Job.FULL, null);
      }
      return new JobComparison(
              ComparedJob.of(workloadOptions.name(), first),
              ComparedJob.of(other.toString(), second),
              runs,
              this::progress)
          .report();
    }
  }
}
