package io.equipoise.tools.watch;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code watch}: groups the verbs about challengers and group monitors. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description =
        "Tries specs beside the one that decides, and watches gaps between groups, with evidence"
            + " that is valid however often it is read.",
    subcommands = {
      ChallengerCommand.class,
      GroupsCommand.class,
      WatchRunCommand.class,
      WatchStatusCommand.class,
      EndCommand.class,
      WatchVerifyCommand.class
    })
public final class WatchCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Rejects a call without a subcommand. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name a subcommand");
  }
}
