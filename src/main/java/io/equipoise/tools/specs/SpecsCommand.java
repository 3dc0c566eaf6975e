package io.equipoise.tools.specs;

import io.equipoise.cli.VerbGroup;
import picocli.CommandLine.Command;

/** Groups the verbs about the specs of a running deployment: {@code specs}. */
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
public final class SpecsCommand extends VerbGroup {}
