package io.equipoise.tools.cluster;

import io.equipoise.cli.VerbGroup;
import picocli.CommandLine.Command;

/** Groups the verbs about a cluster of local processes: {@code cluster}. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the services of docker-compose.yml as plain processes on loopback: a Kafka broker,"
          + " ZooKeeper, a highly available Flink job manager, task managers and the job."
    },
    subcommands = {UpCommand.class, StatusCommand.class, DownCommand.class})
public final class ClusterCommand extends VerbGroup {
  public ClusterCommand() {
    super("missing subcommand: up, status or down");
  }
}
