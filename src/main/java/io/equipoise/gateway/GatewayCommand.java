package io.equipoise.gateway;

import io.equipoise.cli.Verb;
import io.equipoise.http.ApiTokens;
import io.equipoise.http.TokenScope;
import io.equipoise.job.start.Launch;
import io.equipoise.tools.StopSignal;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves decisions and rewards over HTTP: the verb {@code gateway}. */
@Command(
    name = "gateway",
    mixinStandardHelpOptions = true,
    description = {
      "Serves decisions and rewards over HTTP, in front of the topics of a deployment, until it is"
          + " interrupted.",
      "It reads the job's configuration file; its own options are under gateway."
    })
public final class GatewayCommand extends Verb {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Mixin private Launch launch = new Launch();

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException {
    try (StopSignal stop = new StopSignal();
        Gateway gateway =
            Gateway.start(GatewayConfig.from(launch.configuration()), Clock.systemUTC())) {
      boolean isReady = gateway.awaitReady(PATIENCE);
      say(
          isReady
              ? "The gateway listens on %s. Ctrl-C stops it.".formatted(gateway.address())
              : "The gateway listens on %s, but is not ready: see %s/readyz."
                  .formatted(gateway.address(), gateway.address()));
      boolean isOver = false;
      while (!isOver) {
        isOver = stop.await(POLL);
      }
      return 0;
    } catch (IllegalArgumentException | IllegalStateException e) {
      return failed(1, "equipoise gateway: " + e.getMessage());
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
      return failed(
          2, "equipoise gateway token: --name: allowed: a word without spaces and without #");
    }
    ApiTokens.NewToken made =
        ApiTokens.generate(name, isWriter ? TokenScope.WRITE : TokenScope.READ);
    say(made.token());
    say(made.line());
    return 0;
  }
}
