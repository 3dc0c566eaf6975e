package io.equipoise.tools.cluster;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Verb;
import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints the state of processes and job: {@code cluster status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Prints for each process whether it runs, its pid, uptime and ports, "
          + "and the job's state and last checkpoint.",
      "Exit code 1 if a process does not run or not the whole job runs."
    })
public final class StatusCommand extends Verb {
  @Mixin private ClusterDirectory directory = new ClusterDirectory();
  @Mixin private JsonOutput json = new JsonOutput();

  @Override
  public Integer call() {
    try {
      ClusterStatus status = ClusterStatus.of(directory.open(), Clock.systemUTC());
      if (!json.takesStandardOutput()) {
        status.lines().forEach(out()::println);
        out().flush();
      }
      json.write(status, out());
      return status.isGood() ? 0 : 1;
    } catch (ClusterException e) {
      return failed(1, "equipoise cluster status: " + e.getMessage());
    }
  }
}
