package io.equipoise.audit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code experiment}: groups the commands about best-arm experiments. */
@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = "Shows the best-arm experiments of a deployment.",
    subcommands = ReportCommand.class)
public final class ExperimentCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Rejects a call without a subcommand. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name a subcommand: report");
  }
}
