package io.equipoise.console;

import io.equipoise.job.start.Launch;
import io.equipoise.tools.StopSignal;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The verb {@code console}. */
@Command(
    name = "console",
    mixinStandardHelpOptions = true,
    description = {
      "Serves a web page that shows what a deployment decides, whom it treats how, and why. It only"
          + " reads the topics.",
      "Listens on 127.0.0.1:8090 unless console.address and console.port say otherwise. Runs until"
          + " it is interrupted."
    })
public final class ConsoleCommand implements Callable<Integer> {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Launch launch = new Launch();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    try (StopSignal stop = new StopSignal();
        ConsoleServer server = ConsoleServer.start(ConsoleSettings.from(launch.configuration()))) {
      PrintWriter out = command.commandLine().getOut();
      out.println("Console: " + server.address() + "/ (Ctrl-C ends it)");
      out.flush();
      stop.await(FOR_EVER);
      return 0;
    } catch (IllegalStateException e) {
      err.println("equipoise console: " + e.getMessage());
      err.flush();
      return 1;
    }
  }
}
