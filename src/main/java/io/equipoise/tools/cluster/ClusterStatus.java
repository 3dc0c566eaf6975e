package io.equipoise.tools.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.equipoise.cli.TextTable;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports the status of a cluster, as {@code status --json} prints it.
 *
 * @param isGood whether all processes run and the whole job runs
 * @param job null while no job manager replies, or without a job
 * @param savepoints initial state of the next submission of jobs that were stopped, by name
 */
public record ClusterStatus(
    @JsonProperty("good") boolean isGood,
    @JsonProperty("directory") String directory,
    @JsonProperty("bootstrapServers") String bootstrapServers,
    @JsonProperty("webInterface") String webInterface,
    @JsonProperty("processes") List<ProcessStatus> processes,
    @JsonProperty("job") @Nullable JobStatus job,
    @JsonProperty("savepoints") Map<String, String> savepoints) {

  /**
   * Reports whether a process runs, and where.
   *
   * @param pid null if it does not run
   * @param uptimeSeconds null if it does not run
   */
  public record ProcessStatus(
      @JsonProperty("name") String name,
      @JsonProperty("alive") boolean isAlive,
      @JsonProperty("pid") @Nullable Long pid,
      @JsonProperty("uptimeSeconds") @Nullable Long uptimeSeconds,
      @JsonProperty("ports") Map<String, Integer> ports,
      @JsonProperty("log") String log) {}

  public record JobStatus(
      @JsonProperty("id") String id,
      @JsonProperty("name") String name,
      @JsonProperty("state") String state,
      @JsonProperty("tasksRunning") int running,
      @JsonProperty("tasks") int tasks,
      @JsonProperty("lastCheckpoint") @Nullable CheckpointStatus lastCheckpoint) {}

  /** Describes the newest complete checkpoint. */
  public record CheckpointStatus(
      @JsonProperty("id") long id,
      @JsonProperty("ageSeconds") double ageSeconds,
      @JsonProperty("durationMillis") long durationMillis,
      @JsonProperty("bytes") long bytes,
      @JsonProperty("path") String path) {}

  /** Determines the status of a cluster. */
  public static ClusterStatus of(Cluster cluster, Clock clock) {
    List<ProcessStatus> processes =
        cluster.members().stream()
            .map(clusterProcess -> process(cluster, clusterProcess, clock))
            .toList();
    boolean isOwnRest =
        cluster.members().stream()
            .anyMatch(
                it ->
                    it.kind() == ClusterProcess.ProcessKind.JOBMANAGER
                        && cluster.running(it).isPresent());
    Optional<JobState> job = isOwnRest ? cluster.rest().job() : Optional.empty();
    return new ClusterStatus(
        processes.stream().allMatch(ProcessStatus::isAlive)
            && job.map(JobState::isWhole).orElse(false),
        cluster.layout().directory().toString(),
        cluster.bootstrapServers(),
        cluster.rest().root().toString(),
        processes,
        job.map(one -> job(cluster, one, clock)).orElse(null),
        cluster.file().savepoints());
  }

  private static ProcessStatus process(
      Cluster cluster, ClusterProcess clusterProcess, Clock clock) {
    Optional<ProcessHandle> process = cluster.running(clusterProcess);
    return new ProcessStatus(
        clusterProcess.name(),
        process.isPresent(),
        process.map(ProcessHandle::pid).orElse(null),
        process
            .flatMap(it -> it.info().startInstant())
            .map(start -> Duration.between(start, clock.instant()).toSeconds())
            .orElse(null),
        cluster.file().ports().of(clusterProcess),
        cluster.layout().log(clusterProcess.name()).toString());
  }

  private static JobStatus job(Cluster cluster, JobState job, Clock clock) {
    CheckpointStatus checkpoint =
        cluster
            .rest()
            .lastCheckpoint(job.id())
            .map(
                it ->
                    new CheckpointStatus(
                        it.id(),
                        Math.max(0, clock.millis() - it.completedMillis()) / 1000.0,
                        it.durationMillis(),
                        it.bytes(),
                        it.path()))
            .orElse(null);
    return new JobStatus(job.id(), job.name(), job.state(), job.running(), job.tasks(), checkpoint);
  }

  List<String> lines() {
    TextTable table = new TextTable("process", "state", "pid", "uptime", "ports");
    for (ProcessStatus process : processes) {
      Long pid = process.pid();
      Long uptime = process.uptimeSeconds();
      table.row(
          process.name(),
          process.isAlive() ? "up" : "down",
          pid == null ? "-" : pid.toString(),
          uptime == null ? "-" : duration(uptime),
          ports(process.ports()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("kafka " + bootstrapServers + ", flink " + webInterface);
    lines.add(jobLine());
    return lines;
  }

  private String jobLine() {
    if (job == null) {
      StringJoiner line = new StringJoiner("; ").add("no job");
      savepoints.forEach((name, path) -> line.add("up starts %s from %s".formatted(name, path)));
      return line.toString();
    }
    return "%s (%s) is %s, %d of %d tasks run; %s"
        .formatted(
            job.name(),
            job.id(),
            job.state(),
            job.running(),
            job.tasks(),
            checkpoint(job.lastCheckpoint()));
  }

  private static String checkpoint(@Nullable CheckpointStatus last) {
    return last == null
        ? "no checkpoint since the job manager took over"
        : String.format(
            Locale.ROOT,
            "checkpoint %d was complete %.1f s ago, took %d ms, %d kB",
            last.id(),
            last.ageSeconds(),
            last.durationMillis(),
            last.bytes() >> 10);
  }

  private static String ports(Map<String, Integer> ports) {
    return ports.isEmpty()
        ? "-"
        : ports.entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue())
            .collect(Collectors.joining(", "));
  }

  private static String duration(long seconds) {
    Duration whole = Duration.ofSeconds(seconds);
    return whole.toHours() > 0
        ? "%d:%02d:%02d h".formatted(whole.toHours(), whole.toMinutesPart(), whole.toSecondsPart())
        : "%d:%02d min".formatted(whole.toMinutes(), whole.toSecondsPart());
  }
}
