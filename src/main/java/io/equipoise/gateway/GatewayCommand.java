package io.equipoise.gateway;

import io.equipoise.http.ApiTokens;
import io.equipoise.http.TokenScope;
import io.equipoise.job.start.Launch;
import io.equipoise.tools.StopSignal;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code gateway}. */
@Command(
    name = "gateway",
    mixinStandardHelpOptions = true,
    description = {
      "Serves decisions and rewards over HTTP, in front of the topics of a deployment, until it is"
          + " interrupted.",
      "It reads the job's configuration file; its own options are under gateway."
    })
public final class GatewayCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private Launch launch = new Launch();

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    try (StopSignal stop = new StopSignal();
        Gateway gateway =
            Gateway.start(GatewayConfig.from(launch.configuration()), Clock.systemUTC())) {
      boolean isReady = gateway.awaitReady(PATIENCE);
      out.println(
          isReady
              ? "The gateway listens on %s. Ctrl-C stops it.".formatted(gateway.address())
              : "The gateway listens on %s, but is not ready: see %s/readyz."
                  .formatted(gateway.address(), gateway.address()));
      out.flush();
      boolean isOver = false;
      while (!isOver) {
        isOver = stop.await(POLL);
      }
      return 0;
    } catch (IllegalArgumentException | IllegalStateException e) {
      err.println("equipoise gateway: " + e.getMessage());
      return 1;
    }
  }

  @Command(
      name = "token",
      mixinStandardHelpOptions = true,
      description = {
        "Makes an API token. The first line is the token: give it to the caller and keep it"
            + " nowhere else.",
        "The second line is for the tokens file; it has only the hash."
      })
  int token(
      @Option(
              names = "--name",
              required = true,
              paramLabel = "NAME",
              description = "Who uses it; without spaces.")
          String name,
      @Option(names = "--write", description = "Allows decisions and rewards, not only reading.")
          boolean isWriter) {
    if (name.isBlank() || name.chars().anyMatch(Character::isWhitespace) || name.startsWith("#")) {
      command
          .commandLine()
          .getErr()
          .println("equipoise gateway token: --name: allowed: a word without spaces and without #");
      return 2;
    }
    ApiTokens.NewToken made =
        ApiTokens.generate(name, isWriter ? TokenScope.WRITE : TokenScope.READ);
    command.commandLine().getOut().println(made.token());
    command.commandLine().getOut().println(made.line());
    return 0;
  }
}
