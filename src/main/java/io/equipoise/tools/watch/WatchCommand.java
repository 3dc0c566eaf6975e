package io.equipoise.tools.watch;

import io.equipoise.cli.VerbGroup;
import picocli.CommandLine.Command;

/** Groups the verbs about challengers and group monitors: {@code watch}. */
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
public final class WatchCommand extends VerbGroup {}
