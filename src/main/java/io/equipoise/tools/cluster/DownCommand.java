package io.equipoise.tools.cluster;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Steps;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code cluster down}. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = {
      "Stops the job with a savepoint, without draining, and ends the "
          + "processes that up started. It signals a process only if its pid, start "
          + "time and command line are the recorded ones.",
      "The directory stays, and the next up continues from it."
    })
public final class DownCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private ClusterDirectory directory = new ClusterDirectory();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--no-savepoint",
      description = "Does not stop the job first; the next up recovers it from its checkpoint.")
  private boolean isWithoutSavepoint;

  @Override
  public Integer call() {
    PrintWriter err = command.commandLine().getErr();
    try {
      ClusterLayout clusterLayout = directory.open().layout();
      return ClusterLock.hold(clusterLayout, () -> down(err));
    } catch (ClusterException e) {
      err.println("equipoise cluster down: " + e.getMessage());
      return 1;
    }
  }

  private int down(PrintWriter err) {
    Cluster cluster = directory.open();
    ClusterStop clusterStop = new ClusterStop(cluster, new Steps(err)::done);
    if (isWithoutSavepoint) {
      clusterStop.processes();
    } else {
      clusterStop.run();
    }
    json.write(ClusterStatus.of(cluster, Clock.systemUTC()), command.commandLine().getOut());
    return 0;
  }
}
