package io.equipoise.lab.bench;

import io.equipoise.lab.chaos.SoakCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the verbs that measure the job and its parts: {@code bench}. */
@Command(
    name = "bench",
    description = "Measures the job and its parts on this machine.",
    mixinStandardHelpOptions = true,
    subcommands = {
      PassthroughCommand.class,
      LatencyCommand.class,
      JobCommand.class,
      GatewayBenchCommand.class,
      HttpBenchCommand.class,
      ScaleCommand.class,
      BoundsBenchCommand.class,
      CausalBenchCommand.class,
      LinearCommand.class,
      LogisticCommand.class,
      ClicksCommand.class,
      SoakCommand.class
    })
public final class Bench implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  /** Runs if no subcommand was given. */
  @Override
  public void run() {
    throw new ParameterException(command.commandLine(), "missing subcommand; see --help");
  }
}
