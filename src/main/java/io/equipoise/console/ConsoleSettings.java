package io.equipoise.console;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.equipoise.http.HttpOptions;
import io.equipoise.http.HttpSettings;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.OptionReader;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Holds the settings of the console and of its server.
 *
 * @param history how far back the page reaches
 * @param flinkRest address of Flink's REST interface; null if unknown
 * @param metricsSegments segments with figures on {@code /metrics}
 */
public record ConsoleSettings(
    JobConfig job,
    HttpSettings http,
    Duration history,
    @Nullable URI flinkRest,
    int metricsSegments) {
  /** The port if none is given. */
  public static final int PORT = 8090;

  /** The default of {@code history}. */
  public static final Duration HISTORY = Duration.ofHours(1);

  private static final String PREFIX = "console.";
  private static final Duration LEAST = Duration.ofMinutes(2);
  private static final Duration MOST = Duration.ofDays(7);
  private static final int MOST_SEGMENTS = 1000;
  private static final HttpOptions HTTP = new HttpOptions("console", PORT);

  private static final ConfigOption<Duration> HISTORY_OPTION =
      key(PREFIX + "history")
          .durationType()
          .defaultValue(HISTORY)
          .withDescription(
              "How far back the page reaches, in 120 equal steps. A start reads that much of the"
                  + " topics.");

  private static final ConfigOption<String> FLINK_REST =
      key(PREFIX + "flink-rest")
          .stringType()
          .defaultValue("")
          .withDescription(
              "Address of Flink's REST interface, such as `http://localhost:8081`. Without it, the"
                  + " page shows no checkpoints and restarts.");

  private static final ConfigOption<Integer> METRICS_SEGMENTS =
      key(PREFIX + "metrics-segments")
          .intType()
          .defaultValue(0)
          .withDescription(
              "How many segments have figures on `/metrics`, the first by name. Each has about 20"
                  + " series, and 2 more for each arm and sensitive attribute.");

  /** Returns the console's options in the order of the reference page. */
  public static List<ConfigOption<?>> options() {
    List<ConfigOption<?>> all =
        new ArrayList<>(List.of(HISTORY_OPTION, FLINK_REST, METRICS_SEGMENTS));
    all.addAll(HTTP.all());
    return all;
  }

  /**
   * Reads the settings of a deployment's console.
   *
   * @throws io.equipoise.cli.InvalidOptionsException with all errors
   */
  public static ConsoleSettings from(Configuration given) {
    JobConfig job = JobConfig.from(given);
    OptionReader reader = new OptionReader(given);
    HttpSettings http = HTTP.read(reader);
    Duration history =
        reader.read(
            HISTORY_OPTION,
            "2 min to 7 d",
            it -> it.compareTo(LEAST) >= 0 && it.compareTo(MOST) <= 0);
    String rest =
        reader.read(FLINK_REST, "an http or https address", ConsoleSettings::isAddressOrNothing);
    int segments =
        reader.read(
            METRICS_SEGMENTS, "0 to " + MOST_SEGMENTS, it -> it >= 0 && it <= MOST_SEGMENTS);
    reader.faultUnknown(
        PREFIX, options().stream().map(ConfigOption::key).collect(Collectors.toSet()));
    reader.refuseFaults();
    return new ConsoleSettings(
        job, http, history, rest.isEmpty() ? null : URI.create(rest), segments);
  }

  private static boolean isAddressOrNothing(String text) {
    return text.isEmpty() || text.matches("https?://[^\\s/?#]+/?");
  }
}
