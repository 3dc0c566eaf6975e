package io.equipoise.audit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code audit}: groups the commands that read a deployment's topics. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Shows from the topics of a deployment what the job did.",
    subcommands = {
      VerifyCommand.class,
      ObserveCommand.class,
      DeadLettersCommand.class,
      TraceCommand.class,
      EraseCommand.class
    })
public final class AuditCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Rejects a call without a subcommand. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name a subcommand");
  }
}
