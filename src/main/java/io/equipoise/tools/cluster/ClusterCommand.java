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
      "Runs the services of docker-compose.yml as plain processes on loopback: a Kafka broker,"
          + " ZooKeeper, a highly available Flink job manager, task managers and the job."
    },
    subcommands = {UpCommand.class, StatusCommand.class, DownCommand.class})
public final class ClusterCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs if no subcommand was given. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "missing subcommand: up, status or down");
  }
}
