package io.equipoise.cli.causal;

import io.equipoise.cli.VerbGroup;
import picocli.CommandLine.Command;

/** Groups the commands about causal graphs: {@code causal}. */
@Command(
    name = "causal",
    mixinStandardHelpOptions = true,
    description = {
      "Answers questions about a causal graph: which effects the data identify and by which"
          + " formula, which variables to adjust for, which sets separate, and which bounds are"
          + " valid.",
      "A graph is a file or the text itself, in dagitty's syntax: dag { U [latent]; S [selected];"
          + " X -> Y <- U; X <-> Y; Y -> S }. Files whose name ends in .bif are Bayesian networks."
    },
    subcommands = {
      IdentifyCommand.class,
      RecoverCommand.class,
      AdjustCommand.class,
      SeparateCommand.class,
      ComponentsCommand.class,
      BoundQueryCommand.class
    })
public final class CausalCommand extends VerbGroup {}
