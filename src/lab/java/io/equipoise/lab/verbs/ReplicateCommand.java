package io.equipoise.lab.verbs;

import io.equipoise.lab.AdultCommand;
import io.equipoise.lab.CertificateCommand;
import io.equipoise.lab.EmailCommand;
import io.equipoise.lab.cclb.CclbCommand;
import io.equipoise.lab.csr.CsrCommand;
import io.equipoise.lab.linear.FairLinUcbCommand;
import io.equipoise.lab.pcb.OamCommand;
import io.equipoise.lab.pcb.PcbFigure3Command;
import io.equipoise.lab.pcb.PcbFigure4Command;
import io.equipoise.lab.pcb.PcbTable1Command;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Repeats the papers' experiments and holds them against reference results. */
@Command(
    name = "replicate",
    description = {
      "Repeats a paper's experiment and checks the result.",
      "Exit code 0: all checks pass. 1: one fails. 2: none applied, or an " + "argument is invalid."
    },
    mixinStandardHelpOptions = true,
    subcommands = {
      EmailCommand.class,
      AdultCommand.class,
      CertificateCommand.class,
      CsrCommand.class,
      CclbCommand.class,
      FairLinUcbCommand.class,
      PcbTable1Command.class,
      PcbFigure3Command.class,
      PcbFigure4Command.class,
      OamCommand.class
    })
public final class ReplicateCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs when no experiment was named. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name an experiment");
  }
}
