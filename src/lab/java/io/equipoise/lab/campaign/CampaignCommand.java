package io.equipoise.lab.campaign;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the verbs that compare the product's guarantees with a known truth: {@code campaign}. */
@Command(
    name = "campaign",
    description = "Compares verdicts with known truths on many random worlds.",
    mixinStandardHelpOptions = true,
    subcommands = CertificatesCommand.class)
public final class CampaignCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs when no campaign was named. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "name a campaign");
  }
}
