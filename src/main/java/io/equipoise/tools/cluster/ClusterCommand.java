package io.equipoise.tools.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code cluster}. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = {
      "Runs what docker-compose.yml describes as plain processes on loopback: a Kafka broker,"
          + " ZooKeeper, a Flink job manager that is highly available, task managers and the job."
    },
    subcommands = {UpCommand.class, StatusCommand.class, DownCommand.class})
public final class ClusterCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs when no verb was named. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name up, status or down");
  }
}
