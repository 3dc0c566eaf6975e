package io.equipoise.job.options;

import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.segmentspec.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Reads options one by one and collects their errors, so that all are reported at once. An invalid
 * value is replaced by a placeholder: call {@link #refuseFaults} before you use the values. The
 * errors that were collected are its only state.
 */
public final class OptionReader {
  private static final String ALLOWED =
      "equipoise, gateway, console, kafka and schema.registry with their options, and Flink's";

  /** The sections whose options Equipoise reads. */
  private static final List<String> OWN =
      List.of("equipoise", "gateway", "console", "kafka", "schema");

  /** The sections of Equipoise, of Flink 2.2, and of its file systems and deployments. */
  static final List<String> SECTIONS =
      Stream.concat(
              OWN.stream(),
              Stream.of(
                  ("blob classloader cleanup-strategy client cluster compiler env events execution"
                          + " external-resource external-resources fs heartbeat high-availability"
                          + " historyserver io jmx job-event job-result-store jobmanager jobstore"
                          + " metrics minicluster parallelism pekko pipeline plugin process"
                          + " queryable-state resourcemanager rest restart-strategy scheduler-mode"
                          + " security shuffle-service-factory sink slot slotmanager"
                          + " slow-task-detector source state table task taskmanager traces user"
                          + " web zookeeper akka azure containerized gs hadoop hive kubernetes oss"
                          + " presto python s3 s3a yarn")
                      .split(" ")))
          .toList();

  /** Some readers take such a number as octal. */
  private static final Pattern LEADING_ZERO = Pattern.compile("[+-]?0\\d");

  /** No option allows more, and conversions of more overflow. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  private final Configuration configuration;
  private final List<String> faults = new ArrayList<>();

  public OptionReader(Configuration configuration) {
    this.configuration = configuration;
  }

  /** Reads an option that has a default. */
  public <T> T read(ConfigOption<T> option, String allowed, Predicate<T> isAllowed) {
    return read(option, option.defaultValue(), allowed, isAllowed);
  }

  /** Reads an option; a missing option without default is an error. */
  public <T> T read(ConfigOption<T> option, T standIn, String allowed, Predicate<T> isAllowed) {
    var value = parse(option, allowed);
    if (value == null) {
      return standIn;
    }
    String text = configuration.toMap().getOrDefault(option.key(), "");
    boolean isEndless = value instanceof Duration duration && duration.compareTo(LONGEST) > 0;
    boolean isOctal = value instanceof Number && LEADING_ZERO.matcher(text).lookingAt();
    if (isEndless || isOctal || !isAllowed.test(value)) {
      fault(option.key(), given(option), allowed);
      return standIn;
    }
    return value;
  }

  /** Adds an error with option, value given and value allowed. */
  public void fault(String option, String given, String allowed) {
    String place = ConfigFile.Placed.of(configuration, option);
    faults.add(place + option + ": given " + given + "; allowed: " + allowed);
  }

  /** Adds an error for each given option that begins with a prefix and is not known. */
  public void faultUnknown(String prefix, Set<String> known) {
    for (String name : configuration.toMap().keySet().stream().sorted().toList()) {
      if (name.startsWith(prefix) && !known.contains(name)) {
        fault(
            name,
            "an unknown option",
            "the options of docs/reference/options.md"
                + meant(name, known.stream().sorted().toList()));
      }
    }
  }

  /** Adds an error for each section that is neither Equipoise's, Kafka's nor Flink's. */
  public void faultUnknownSections() {
    Set<String> names = configuration.toMap().keySet();
    OWN.stream().filter(names::contains).forEach(name -> fault(name, "one value", ALLOWED));
    names.stream()
        .map(OptionReader::sectionFault)
        .flatMap(Stream::ofNullable)
        .distinct()
        .sorted()
        .forEach(faults::add);
  }

  /** Returns the error of the section of an option, or null if it is known. */
  static @Nullable String sectionFault(String name) {
    String section = name.replaceFirst("\\..*", "");
    return SECTIONS.contains(section) || name.startsWith("$")
        ? null
        : section + ": given an unknown section; allowed: " + ALLOWED + meant(section, SECTIONS);
  }

  private static String meant(String name, List<String> known) {
    String near = Nearest.suggestion(name, known).strip();
    return near.isEmpty() ? "" : "; " + near;
  }

  /** Throws if there was any error. */
  public void refuseFaults() {
    if (!faults.isEmpty() && configuration.keySet().isEmpty()) {
      faults.add(
          "no option is given; name a file with --config FILE, or set options with -D KEY=VALUE");
    }
    if (!faults.isEmpty()) {
      throw new InvalidOptionsException("The configuration is refused", faults);
    }
  }

  private <T> @Nullable T parse(ConfigOption<T> option, String allowed) {
    try {
      var value = configuration.getOptional(option).orElseGet(option::defaultValue);
      boolean isGiven = configuration.containsKey(option.key());
      if (value == null || (isGiven && value instanceof String text && text.isBlank())) {
        fault(option.key(), "nothing", allowed);
        return null;
      }
      return value;
    } catch (IllegalArgumentException e) { // Flink cannot parse the text as this type
      fault(option.key(), given(option), allowed);
      return null;
    }
  }

  private String given(ConfigOption<?> option) {
    var text = configuration.toMap().get(option.key());
    return text == null ? "nothing" : "'" + text + "'";
  }
}
