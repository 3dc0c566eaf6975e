package io.equipoise.job.registry;

import io.equipoise.event.LogTopic;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.KafkaErrors;
import io.equipoise.job.options.RecordFormat;
import io.equipoise.job.options.RegistryOptions;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.SubjectNameStrategy;
import io.equipoise.job.options.Topics;
import io.equipoise.registry.SchemaRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.apache.avro.Schema;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Converts the values of a deployment's topics at its edges. Without {@code schema.registry.url}
 * nothing is converted.
 */
public final class Frames {
  /** The types of records by what follows the deployment's name and a dot. */
  private static final Map<String, Wire<?>> TYPES = new LinkedHashMap<>();

  static {
    for (LogTopic topic : LogTopic.values()) {
      TYPES.put(topic.suffix(), topic.wire());
    }
    TYPES.put(Topics.CAUSAL_BOUNDS, Wire.CAUSAL_BOUND);
  }

  private Frames() {}

  /**
   * Finds the ids of the schemas that the job writes with, and the schemas of the inputs, so that
   * no other process needs the registry for them.
   *
   * @throws StartRefusedException if the registry does not answer or refuses a schema
   */
  public static JobConfig resolve(JobConfig config) {
    return resolve(config, topic -> true);
  }

  private static JobConfig resolve(JobConfig config, Predicate<String> isWanted) {
    RegistryOptions options = config.registry();
    if (!options.hasRegistry()) {
      return config;
    }
    Configuration given = Configuration.fromMap(options.settings());
    SubjectNameStrategy strategy = given.get(JobOptions.REGISTRY_SUBJECTS);
    boolean registers = given.get(JobOptions.REGISTRY_REGISTER);
    Map<String, String> found = new HashMap<>();
    String subject = "";
    try {
      SchemaRegistry registry = registry(options.settings());
      for (Map.Entry<String, Wire<?>> each : TYPES.entrySet()) {
        String topic = config.topics().deployment() + "." + each.getKey();
        Schema schema = each.getValue().schema();
        boolean isOutput = config.topics().outputs().contains(topic);
        RecordFormat format = isOutput ? options.outputs() : options.inputs();
        subject = strategy.subject(topic, schema.getFullName());
        if (format == RecordFormat.CONFLUENT && isWanted.test(topic)) {
          int id = registers ? registry.register(subject, schema) : registry.find(subject, schema);
          found.put(RegistryOptions.ID + topic, Integer.toString(id));
          found.put(RegistryOptions.SCHEMA + id, schema.toString());
        }
        if (!isOutput) {
          registry
              .versions(subject)
              .forEach((id, text) -> found.putIfAbsent(RegistryOptions.SCHEMA + id, text));
        }
      }
    } catch (KafkaException e) {
      throw new StartRefusedException(
          "There is no TLS connection to the schema registry",
          List.of(
              new KafkaErrors(JobOptions.REGISTRY_PREFIX, tlsSettings(options.settings()))
                  .explain(e)));
    } catch (IOException | SchemaRegistry.RefusedException e) {
      throw new StartRefusedException(
          "The schema registry does not give the id of " + subject,
          List.of(
              "%s: %s%s"
                  .formatted(
                      JobOptions.REGISTRY_URL.key(),
                      e.getMessage(),
                      registers
                          ? ""
                          : "; register the schema, or set "
                              + JobOptions.REGISTRY_REGISTER.key()
                              + ": true")));
    }
    return config.with(found);
  }

  /** Returns the ids of topics that {@link #resolve} found, by topic. */
  public static Map<String, Integer> ids(JobConfig config) {
    Map<String, Integer> ids = new HashMap<>();
    config
        .registry()
        .settings()
        .forEach(
            (name, id) -> {
              if (name.startsWith(RegistryOptions.ID)) {
                ids.put(name.substring(RegistryOptions.ID.length()), Integer.valueOf(id));
              }
            });
    return ids;
  }

  /** Returns a value in the format of a topic. */
  public static byte @Nullable [] framed(
      Map<String, Integer> ids, String topic, byte @Nullable [] value) {
    Integer id = ids.get(topic);
    return value == null || id == null ? value : WriterSchemas.framed(id, value);
  }

  /**
   * Returns a serializer for values that the job reads.
   *
   * @throws StartRefusedException if the registry does not answer or refuses a schema
   */
  public static Serializer<byte[]> serializer(JobConfig config) {
    if (config.registry().inputs() != RecordFormat.CONFLUENT) {
      return new ByteArraySerializer();
    }
    Predicate<String> isOutput = config.topics().outputs()::contains;
    Map<String, Integer> ids = ids(resolve(config, isOutput.negate()));
    return (topic, value) -> framed(ids, topic, value);
  }

  /**
   * Returns the schemas of the registry of these settings; asks it only for ids that {@link
   * #resolve} did not find, and waits as long as it does not answer.
   *
   * @param settings may contain other settings too
   */
  public static WriterSchemas schemas(Map<?, ?> settings) {
    return schemas(settings, registry -> registry::schema);
  }

  /**
   * Returns the same for a command that ends.
   *
   * @param patience how long to wait for an answer
   * @param gaveUp makes the exception that is thrown then
   */
  public static WriterSchemas schemas(
      Map<?, ?> settings, Duration patience, Function<String, ? extends RuntimeException> gaveUp) {
    return schemas(settings, registry -> id -> registry.schema(id, patience, gaveUp));
  }

  private static WriterSchemas schemas(
      Map<?, ?> settings, Function<SchemaRegistry, IntFunction<@Nullable Schema>> ask) {
    if (!settings.containsKey(JobOptions.REGISTRY_URL.key())) {
      return WriterSchemas.NONE;
    }
    Map<String, String> own = new HashMap<>();
    settings.forEach(
        (name, value) -> {
          if (isSetting(name)) {
            own.put(name.toString(), value.toString());
          }
        });
    return new WriterSchemas(ask.apply(registry(own)));
  }

  /**
   * Returns the client of a registry.
   *
   * @param settings as in {@link RegistryOptions}
   */
  static SchemaRegistry registry(Map<String, String> settings) {
    return new SchemaRegistry(
        settings.getOrDefault(JobOptions.REGISTRY_URL.key(), ""),
        settings.get(JobOptions.REGISTRY_BASIC_AUTH.key()),
        settings.get(JobOptions.REGISTRY_BEARER_TOKEN.key()),
        id -> settings.get(RegistryOptions.SCHEMA + id),
        () -> tls(settings));
  }

  /**
   * Builds what a Kafka client builds from the same settings.
   *
   * @throws KafkaException if they are invalid
   */
  private static SSLContext tls(Map<String, String> settings) {
    ConfigDef definition = new ConfigDef();
    SslConfigs.addClientSslSupport(definition);
    DefaultSslEngineFactory factory = new DefaultSslEngineFactory();
    factory.configure(definition.parse(tlsSettings(settings)));
    return factory.sslContext();
  }

  private static Map<String, String> tlsSettings(Map<String, String> settings) {
    Map<String, String> ssl = new TreeMap<>();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(RegistryOptions.SSL)) {
            ssl.put(name.substring(JobOptions.REGISTRY_PREFIX.length()), value);
          }
        });
    return ssl;
  }

  /** Returns whether a setting is the registry's and not a Kafka client's. */
  public static boolean isSetting(Object name) {
    return name.toString().startsWith(JobOptions.REGISTRY_PREFIX);
  }

  /**
   * Returns a deserializer that returns outputs and causal bounds in single-object encoding.
   * Contexts, rewards, specs and values that cannot be converted keep their bytes.
   */
  public static Deserializer<byte[]> deserializer(Map<?, ?> settings) {
    WriterSchemas schemas = schemas(settings);
    return schemas == WriterSchemas.NONE
        ? new ByteArrayDeserializer()
        : (topic, value) -> singleObject(schemas, topic, value);
  }

  /** Returns an output or a causal bound in single-object encoding; leaves all other values. */
  public static byte @Nullable [] singleObject(
      WriterSchemas schemas, String topic, byte @Nullable [] value) {
    Wire<?> wire = TYPES.get(topic.substring(topic.indexOf('.') + 1));
    boolean isInput = wire == Wire.CONTEXT || wire == Wire.REWARD;
    try {
      return value == null || wire == null || isInput ? value : schemas.singleObject(wire, value);
    } catch (WireException e) {
      return value; // its reader reports it
    }
  }
}
