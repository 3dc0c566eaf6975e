package io.equipoise.console;

import io.equipoise.cli.Verb;
import io.equipoise.job.start.Launch;
import io.equipoise.tools.StopSignal;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Serves the web page of a deployment: the verb {@code console}. */
@Command(
    name = "console",
    mixinStandardHelpOptions = true,
    description = {
      "Serves a web page that shows what a deployment decides, whom it treats how, and why. It only"
          + " reads the topics.",
      "Listens on 127.0.0.1:8090 unless console.address and console.port say otherwise. Runs until"
          + " it is interrupted."
    })
public final class ConsoleCommand extends Verb {
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Mixin private Launch launch = new Launch();

  @Override
  public Integer call() throws InterruptedException {
    try (StopSignal stop = new StopSignal();
        ConsoleServer server = ConsoleServer.start(ConsoleSettings.from(launch.configuration()))) {
      say("Console: " + server.address() + "/ (Ctrl-C ends it)");
      stop.await(FOR_EVER);
      return 0;
    } catch (IllegalStateException e) {
      return failed(1, "equipoise console: " + e.getMessage());
    }
  }
}
