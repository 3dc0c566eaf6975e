package io.equipoise.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups verbs, and rejects a call without one of them. */
public abstract class VerbGroup implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();
  private final String fault;

  protected VerbGroup() {
    this("name a subcommand");
  }

  /** Sets the error message for a call without a verb. */
  protected VerbGroup(String fault) {
    this.fault = fault;
  }

  @Override
  public final void run() {
    throw new ParameterException(command.commandLine(), fault);
  }
}
