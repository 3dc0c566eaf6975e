package io.equipoise.audit;

import io.equipoise.cli.VerbGroup;
import picocli.CommandLine.Command;

/** Groups the commands about best-arm experiments: {@code experiment}. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = "Shows the best-arm experiments of a deployment.",
    subcommands = ReportCommand.class)
public final class ExperimentCommand extends VerbGroup {
  public ExperimentCommand() {
    super("name a subcommand: report");
  }
}
