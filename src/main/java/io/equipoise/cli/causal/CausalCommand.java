package io.equipoise.cli.causal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code causal}: names what can be asked. */
@Command(
    name = "causal",
    mixinStandardHelpOptions = true,
    description = {
      "Answers questions to a causal graph: which effects data identify and "
          + "by which formula, which variables to adjust for, which separate, and "
          + "which bounds are valid.",
      "A graph is a file or the text itself, in dagitty's syntax: dag { U [latent]; S [selected];"
          + " X -> Y <- U; X <-> Y; Y -> S }. Names of files that end in .bif are networks."
    },
    subcommands = {
      IdentifyCommand.class,
      RecoverCommand.class,
      AdjustCommand.class,
      SeparateCommand.class,
      ComponentsCommand.class,
      BoundQueryCommand.class,
      CasesCommand.class
    })
public final class CausalCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs when nothing to ask was named. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name what to ask");
  }
}
