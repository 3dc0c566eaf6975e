package io.equipoise.audit;

import io.equipoise.cli.OptionValues.AtLeastOne;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Limits how long a command waits for brokers: the option {@code --timeout}. */
final class TimeoutOption {
  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      converter = AtLeastOne.class,
      description =
          "How long to wait for open transactions and silent brokers. Default: ${DEFAULT-VALUE}.")
  private long seconds;

  Duration duration() {
    return Duration.ofSeconds(seconds);
  }
}
