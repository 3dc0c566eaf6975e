package io.equipoise.tools.cluster;

import io.equipoise.cli.JsonOutput;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The verb {@code cluster status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = {
      "Prints for each process whether it runs, its pid, uptime and ports, "
          + "and the job's state and last checkpoint.",
      "Exit code 1 if a process does not run or not the whole job runs."
    })
public final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private ClusterDirectory directory = new ClusterDirectory();
  @Mixin private JsonOutput json = new JsonOutput();

  @Override
  public Integer call() {
    PrintWriter out = command.commandLine().getOut();
    try {
      ClusterStatus status = ClusterStatus.of(directory.open(), Clock.systemUTC());
      if (!json.takesStandardOutput()) {
        status.lines().forEach(out::println);
        out.flush();
      }
      json.write(status, out);
      return status.isGood() ? 0 : 1;
    } catch (ClusterException e) {
      command.commandLine().getErr().println("equipoise cluster status: " + e.getMessage());
      return 1;
    }
  }
}
