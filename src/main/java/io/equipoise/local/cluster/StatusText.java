package io.equipoise.local.cluster;

import io.equipoise.cli.TextTable;
import io.equipoise.local.cluster.ClusterStatus.CheckpointStatus;
import io.equipoise.local.cluster.ClusterStatus.JobStatus;
import io.equipoise.local.cluster.ClusterStatus.ProcessStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster's status for people. */
final class StatusText {
  private StatusText() {}

  static List<String> lines(ClusterStatus status) {
    TextTable table = new TextTable("process", "state", "pid", "uptime", "ports");
    for (ProcessStatus process : status.processes()) {
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
    lines.add("kafka " + status.bootstrapServers() + ", flink " + status.webInterface());
    lines.add(job(status));
    return lines;
  }

  private static String job(ClusterStatus status) {
    JobStatus job = status.job();
    if (job == null) {
      return "no job"
          + (status.savepoint() == null ? "" : "; up goes on from " + status.savepoint());
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
