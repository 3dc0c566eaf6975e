package io.equipoise.tools.cluster;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Steps;
import io.equipoise.cli.Verb;
import java.time.Clock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Stops the job with a savepoint and ends the processes: {@code cluster down}. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = {
      "Stops the job with a savepoint, without draining, and ends the "
          + "processes that up started. It signals a process only if its pid, start "
          + "time and command line are the recorded ones; of gateway and console, "
          + "if their keeper was killed, the command line.",
      "The directory stays, and the next up continues from it. The exit code is 1 if the job"
          + " could not be stopped with a savepoint: then it continues from the last checkpoint."
    })
public final class DownCommand extends Verb {
  @Mixin private ClusterDirectory directory = new ClusterDirectory();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--no-savepoint",
      description = "Does not stop the job first; the next up recovers it from its checkpoint.")
  private boolean isWithoutSavepoint;

  @Override
  public Integer call() {
    try {
      ClusterLayout clusterLayout = directory.open().layout();
      return ClusterLock.hold(clusterLayout, this::down);
    } catch (ClusterException e) {
      return failed(1, "equipoise cluster down: " + e.getMessage());
    }
  }

  private int down() {
    Cluster cluster = directory.open();
    ClusterStop clusterStop = new ClusterStop(cluster, new Steps(err())::done);
    boolean isAsRequested = true;
    if (isWithoutSavepoint) {
      clusterStop.processes();
    } else {
      isAsRequested = clusterStop.run();
    }
    json.write(ClusterStatus.of(cluster, Clock.systemUTC()), out());
    return isAsRequested ? 0 : 1;
  }
}
