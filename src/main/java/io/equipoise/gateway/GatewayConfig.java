package io.equipoise.gateway;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.equipoise.console.ConsoleSettings;
import io.equipoise.http.HttpOptions;
import io.equipoise.http.HttpSettings;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.OptionReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Configures a gateway: options under {@code gateway.} in the file of the job's options.
 *
 * @param job the deployment, as the job has it
 * @param deadline how long a decision may take if the request does not say it
 * @param maxDeadline the longest time that a request may ask for
 * @param maxPending decisions that may wait for their answer, and rewards for the brokers
 * @param maxRecent answers that are remembered
 * @param maxBatch decisions or rewards in one batch
 * @param readsAudits whether a request may ask for the comparisons of its decision
 * @param confirmsAnswers whether a written answer confirms that its arm was shown
 * @param console the console that the gateway serves too; null if it serves none
 */
public record GatewayConfig(
    JobConfig job,
    HttpSettings http,
    Duration deadline,
    Duration maxDeadline,
    int maxPending,
    int maxRecent,
    int maxBatch,
    boolean readsAudits,
    boolean confirmsAnswers,
    @Nullable ConsoleSettings console) {
  private static final String PREFIX = "gateway.";
  private static final int PORT = 8080;
  private static final HttpOptions HTTP = new HttpOptions("gateway", PORT);

  private static final ConfigOption<Duration> DEADLINE =
      key(PREFIX + "deadline")
          .durationType()
          .defaultValue(Duration.ofSeconds(1))
          .withDescription(
              "How long a caller waits for a decision if the request has no `deadlineMs`. Then the"
                  + " answer is the fallback arm of the spec, with reason DEADLINE_EXCEEDED.");

  private static final ConfigOption<Duration> MAX_DEADLINE =
      key(PREFIX + "max-deadline")
          .durationType()
          .defaultValue(Duration.ofSeconds(30))
          .withDescription("The longest `deadlineMs` that a request may ask for.");

  private static final ConfigOption<Integer> MAX_PENDING =
      key(PREFIX + "max-pending")
          .intType()
          .defaultValue(10_000)
          .withDescription(
              "Decisions that wait for their answer, and rewards that wait for the brokers. Further"
                  + " requests are answered with 429, and so are those beyond an eighth of the heap.");

  private static final ConfigOption<Integer> MAX_RECENT =
      key(PREFIX + "max-recent")
          .intType()
          .defaultValue(20_000)
          .withDescription(
              "Answers that the gateway remembers, at about 1 KB each, and 0.5 KB for each of their comparisons. Together they"
                  + " occupy at most an eighth of the heap. A repeated decision id gets"
                  + " its answer from there. A start reads as many records of each partition of"
                  + " `decisions`.");

  private static final ConfigOption<Integer> MAX_BATCH =
      key(PREFIX + "max-batch")
          .intType()
          .defaultValue(100)
          .withDescription("Decisions or rewards in one request to a batch address.");

  private static final ConfigOption<Boolean> CONSOLE =
      key(PREFIX + "console")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether the gateway serves the console too, at `/`, with its own address, tokens and"
                  + " TLS. It needs some 300 MB more heap.");

  static final ConfigOption<Boolean> FAIRNESS =
      key(PREFIX + "fairness")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether a request may ask for the comparisons of its decision with `fairness: true`."
                  + " The gateway then reads the topic `audit`, from its end.");

  private static final ConfigOption<Boolean> CONFIRM_ANSWERS =
      key(PREFIX + "confirm-answers")
          .booleanType()
          .defaultValue(true)
          .withDescription(
              "Under a spec with `reward.default` and `join.shown: confirmed`: whether an answer"
                  + " confirms that its arm was shown, once it is written to the socket. With `false`"
                  + " callers confirm what they have shown by `POST /v1/decisions/ID/shown`.");

  private static final List<ConfigOption<?>> OWN =
      List.of(
          DEADLINE,
          MAX_DEADLINE,
          MAX_PENDING,
          MAX_RECENT,
          MAX_BATCH,
          FAIRNESS,
          CONFIRM_ANSWERS,
          CONSOLE);

  /**
   * Validates a configuration.
   *
   * @throws io.equipoise.cli.InvalidOptionsException with every error of the options
   */
  public static GatewayConfig from(Configuration given) {
    OptionReader reader = new OptionReader(given);
    Duration maxDeadline =
        reader.read(MAX_DEADLINE, "1 ms to 2 min", it -> isBetween(it, Duration.ofMinutes(2)));
    GatewayConfig config =
        new GatewayConfig(
            JobConfig.from(given),
            HTTP.read(reader),
            reader.read(
                DEADLINE, "1 ms to " + MAX_DEADLINE.key(), it -> isBetween(it, maxDeadline)),
            maxDeadline,
            reader.read(MAX_PENDING, "1 or more", it -> it >= 1),
            reader.read(MAX_RECENT, "1 to 10000000", it -> it >= 1 && it <= 10_000_000),
            reader.read(MAX_BATCH, "1 to 10000", it -> it >= 1 && it <= 10_000),
            reader.read(FAIRNESS, "true or false", any -> true),
            reader.read(CONFIRM_ANSWERS, "true or false", any -> true),
            reader.read(CONSOLE, "true or false", any -> true)
                ? ConsoleSettings.from(given)
                : null);
    reader.faultUnknown(
        PREFIX, options().stream().map(ConfigOption::key).collect(Collectors.toSet()));
    reader.refuseFaults();
    return config;
  }

  /** Returns the options in the order of the reference page. */
  public static List<ConfigOption<?>> options() {
    return Stream.concat(HTTP.all().stream(), OWN.stream()).toList();
  }

  private static boolean isBetween(Duration given, Duration most) {
    return given.toMillis() >= 1 && given.compareTo(most) <= 0;
  }
}
