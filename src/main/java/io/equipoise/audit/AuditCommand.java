package io.equipoise.audit;

import io.equipoise.cli.VerbGroup;
import picocli.CommandLine.Command;

/** Groups the commands that read a deployment's topics: {@code audit}. */
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
public final class AuditCommand extends VerbGroup {}
