package io.equipoise.lab.bench;

import io.equipoise.cli.QuietLog;
import io.equipoise.job.options.JobOptions;
import io.equipoise.tools.LocalJob;
import io.equipoise.tools.cluster.FlinkRest;
import io.equipoise.tools.cluster.FlinkRest.LastCheckpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures the job by number of segments and parallelism: {@code bench scale}. Fields of its JSON:
 * {@code settings}, {@code machine}, and {@code rows} with the components of {@link ScaleRow} and
 * {@code stateBytesPerSegment}.
 */
@Command(
    name = "scale",
    description = {
      "Measures throughput, state, checkpoint and restore of the job by number of segments and"
          + " parallelism.",
      "The spec has windows of 10 s and passivates a segment after 60 s without input; the inputs"
          + " span 4 min of event time. With many segments most are idle at the end."
    },
    mixinStandardHelpOptions = true)
final class ScaleCommand extends BenchCommand {
  /** For both task slots together. */
  private static final String ROCKSDB_MEMORY = "1g";

  /** Each checkpoint flushes what RocksDB keeps in memory to files. */
  private static final String ROCKSDB_CHECKPOINT_INTERVAL = "10 s";

  enum Backend {
    HEAP("hashmap"),
    ROCKSDB("rocksdb");

    private final String flinkName;

    Backend(String flinkName) {
      this.flinkName = flinkName;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();

  @Option(
      names = "--segments",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,4,64,10000,100000",
      description = "Numbers of segments (default: ${DEFAULT-VALUE}).")
  private List<Integer> segments = List.of();

  @Option(
      names = "--parallelism",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,2",
      description =
          "Parallelisms of the job, each also the partitions of each topic (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> parallelisms = List.of();

  @Option(
      names = "--records",
      defaultValue = "200000",
      description =
          "Inputs of a run, half of them contexts; at least two for each segment (default:"
              + " ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--warm-ups",
      defaultValue = "1",
      description = "Runs with the first numbers, which are discarded (default: ${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--backend",
      paramLabel = "heap|rocksdb",
      defaultValue = "heap",
      description = "State backend (default: ${DEFAULT-VALUE}).")
  private Backend backend = Backend.HEAP;

  @Override
  public Integer call() throws InterruptedException {
    refuse(
        records < 2
            || warmUps < 0
            || segments.stream().anyMatch(count -> count < 1 || count > Integer.MAX_VALUE / 2)
            || parallelisms.stream().anyMatch(count -> count < 1),
        "--records must be at least 2, --warm-ups 0, all other numbers at least 1, --segments at"
            + " most "
            + Integer.MAX_VALUE / 2);
    QuietLog.set();
    for (int i = 0; i < warmUps; i++) {
      measured(segments.get(0), parallelisms.get(0));
    }
    List<ScaleRow> rows = new ArrayList<>();
    for (int count : segments) {
      for (int parallelism : parallelisms) {
        rows.add(measured(count, parallelism));
      }
    }
    write(report(rows));
    return 0;
  }

  private ScaleRow measured(int count, int parallelism) throws InterruptedException {
    err().printf(Locale.ROOT, "%d segments, parallelism %d: ", count, parallelism);
    err().flush();
    int contexts = Math.max(records / 2, count);
    Workload workload = workloadOptions.workload(text -> Workload.idling(text, contexts, count));
    try (BenchDeployment deployment =
        BenchDeployment.start(workload, parallelism, settings(count))) {
      ScaleRow row = measured(deployment);
      err().printf(Locale.ROOT, "%,.0f inputs/s%n", row.inputsPerSecond());
      err().flush();
      return row;
    }
  }

  private Map<String, String> settings(int count) {
    Map<String, String> settings = new HashMap<>();
    settings.put(StateBackendOptions.STATE_BACKEND.key(), backend.flinkName);
    settings.put(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION.key(),
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION.name());
    // Divided over the key groups.
    for (ConfigOption<Integer> most :
        List.of(JobOptions.SEGMENTS_MOST, JobOptions.SEGMENTS_MOST_PASSIVATED)) {
      settings.put(most.key(), Integer.toString(2 * count + 1_000));
    }
    if (backend == Backend.ROCKSDB) {
      settings.put(CheckpointingOptions.INCREMENTAL_CHECKPOINTS.key(), "true");
      settings.put(TaskManagerOptions.MANAGED_MEMORY_SIZE.key(), ROCKSDB_MEMORY);
      settings.put(CheckpointingOptions.CHECKPOINTING_INTERVAL.key(), ROCKSDB_CHECKPOINT_INTERVAL);
    }
    return settings;
  }

  private static ScaleRow measured(BenchDeployment deployment) throws InterruptedException {
    deployment.topics().fill();
    long begin = System.nanoTime();
    LocalJob job = deployment.start(JobRun.Job.FULL, null, null);
    long startMillis = millisSince(begin);
    deployment.topics().awaitRead();
    String unused = job.checkpoint(); // commits the output of all inputs
    CommittedOutput output = deployment.topics().committed();
    job.cancel();
    LastCheckpoint last =
        new FlinkRest(deployment.restPort())
            .lastCheckpoint(job.id().toHexString())
            .orElseThrow(() -> new IllegalStateException("Flink reports no checkpoint"));
    begin = System.nanoTime();
    LocalJob restored = deployment.start(JobRun.Job.FULL, null, last.path());
    long restoreMillis = millisSince(begin);
    restored.cancel();
    Workload workload = deployment.topics().workload();
    return new ScaleRow(
        workload.segments(),
        deployment.topics().config().partitions(),
        workload.inputs(),
        1e3 * workload.inputs() / (output.lastWritten() - output.firstWritten()),
        last.bytes(),
        last.durationMillis(),
        startMillis,
        restoreMillis);
  }

  private static long millisSince(long nanoTime) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanoTime);
  }

  private BenchReport report(List<ScaleRow> rows) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("records", records);
    settings.put("backend", backend.toString());
    settings.put("discardedWarmUpRuns", warmUps);
    return new BenchReport()
        .field("settings", settings)
        .field("machine", BenchReport.machine())
        .field("rows", rows)
        .table(ScaleRow.table(rows));
  }
}
