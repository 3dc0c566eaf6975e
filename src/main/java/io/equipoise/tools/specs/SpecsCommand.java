package io.equipoise.tools.specs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code specs}: groups the verbs about the specs of a running deployment. */
@Command(
    name = "specs",
    mixinStandardHelpOptions = true,
    description = "Publishes, compares, retires and rolls back the specs of a running deployment.",
    subcommands = {
      PublishCommand.class,
      ListCommand.class,
      ShowCommand.class,
      DiffCommand.class,
      RetireCommand.class,
      RollbackCommand.class,
      ArmsCommand.class,
      PromoteCommand.class
    })
public final class SpecsCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Rejects a call without a subcommand. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name a subcommand");
  }
}
