package io.equipoise.audit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code audit}: names what can be shown of a deployment from its topics. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Shows from the topics of a deployment what the job did.",
    subcommands = {
      VerifyCommand.class,
      ObserveCommand.class,
      DeadLettersCommand.class,
      TraceCommand.class
    })
public final class AuditCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs when nothing to show was named. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name what to show");
  }
}
