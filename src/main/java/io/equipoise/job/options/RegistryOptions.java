package io.equipoise.job.options;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;

/**
 * Configures the formats of records, and the schema registry that Confluent's format needs.
 *
 * @param settings all options under {@code schema.registry.}, with the prefix, and what a launcher
 *     added of {@link #ID} and {@link #SCHEMA}; may contain secrets
 */
public record RegistryOptions(
    RecordFormat inputs, RecordFormat outputs, Map<String, String> settings) {
  private static final String SECTION = "schema.";

  /** Before the name of a topic: the id of its schema. */
  public static final String ID = JobOptions.REGISTRY_PREFIX + "id.";

  /** Before an id: the text of its schema. */
  public static final String SCHEMA = JobOptions.REGISTRY_PREFIX + "schema.";

  /** Before a setting of a Kafka client for TLS. */
  public static final String SSL = JobOptions.REGISTRY_PREFIX + "ssl.";

  public RegistryOptions {
    settings = Map.copyOf(settings);
  }

  static RegistryOptions read(OptionReader reader, Configuration given) {
    Map<String, String> settings = new TreeMap<>(given.toMap());
    settings.keySet().removeIf(name -> !name.startsWith(JobOptions.REGISTRY_PREFIX));
    Set<String> known = new HashSet<>(OptionTable.keys());
    settings.keySet().stream()
        .filter(name -> name.startsWith(SSL) || name.startsWith(ID) || name.startsWith(SCHEMA))
        .forEach(known::add);
    reader.faultUnknown(SECTION, known);
    RegistryOptions options =
        new RegistryOptions(
            reader.read(JobOptions.FORMAT_INPUTS, "single-object or confluent", any -> true),
            reader.read(JobOptions.FORMAT_OUTPUTS, "single-object or confluent", any -> true),
            settings);
    boolean isNeeded =
        options.inputs == RecordFormat.CONFLUENT || options.outputs == RecordFormat.CONFLUENT;
    String urls = settings.get(JobOptions.REGISTRY_URL.key());
    if (urls == null
        ? isNeeded
        : !Arrays.stream(urls.split(",", -1)).allMatch(RegistryOptions::isUrl)) {
      reader.fault(
          JobOptions.REGISTRY_URL.key(),
          urls == null ? "nothing" : "'" + urls.replaceAll(".*@", "***@") + "'",
          "http:// or https:// URLs separated by commas, without a user (see %s)"
                  .formatted(JobOptions.REGISTRY_BASIC_AUTH.key())
              + (isNeeded ? ", which the format confluent needs" : ""));
    }
    reader.read(
        JobOptions.REGISTRY_SUBJECTS, "topic-name, record-name or topic-record-name", any -> true);
    reader.read(JobOptions.REGISTRY_REGISTER, "true or false", any -> true);
    return options;
  }

  private static boolean isUrl(String text) {
    return text.trim().matches("https?://[^\\s,@]+");
  }

  /** Returns whether records in Confluent's format can be read. */
  public boolean hasRegistry() {
    return settings.containsKey(JobOptions.REGISTRY_URL.key());
  }
}
