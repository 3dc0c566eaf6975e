package io.equipoise.job.options;

import io.equipoise.segmentspec.Nearest;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Holds the job's configuration; {@link #from} validates it as a whole.
 *
 * @param topics names of topics, consumer group and transactional ids
 * @param specs existing files and directories of segment specs to publish
 * @param maxClockSkew how far event time may be ahead of append time
 * @param maxLag how far event time may be behind append time
 * @param idleTimeout idle time after which a partition's event time follows the clock
 * @param maxOutOfOrderness how far a record may be behind the newest record of its partition
 * @param maxAppendDelay how far event time is behind the append times of a partition that has been
 *     read to its end; at least {@code maxOutOfOrderness}
 * @param transactionTimeout timeout that producers request; longer than any transaction that the
 *     job may have to commit
 * @param recoveryMaxMemory memory limit of a subtask for recovered decisions
 * @param warmUp longest time for which invented inputs are played at a start; zero for none
 * @param maxRecordBytes largest record that is read or written
 * @param segmentLimits maximum numbers of segments
 * @param inputSkips offsets of the input topics that are not read; without overlaps
 * @param privacy how the outputs redact sensitive values
 * @param allowsEmptyState whether a start without state is allowed although a log exists
 * @param acceptsReplacedInputs whether a start is allowed although a topic of inputs does not fit
 *     the restored state
 * @param failsOnLoss whether a start fails if records of its state are missing on the topics
 * @param kafkaSettings the settings under {@code kafka.}, without the prefix; may contain secrets
 * @param registry formats of records and the settings of a schema registry; may contain secrets
 * @param flink the given configuration with the settings that the job's guarantees need
 */
public record JobConfig(
    Topics topics,
    Delivery delivery,
    MemorySize recoveryMaxMemory,
    List<Path> specs,
    int partitions,
    short replicationFactor,
    Duration maxClockSkew,
    Duration maxLag,
    Duration idleTimeout,
    Duration maxOutOfOrderness,
    Duration maxAppendDelay,
    Duration checkpointInterval,
    Duration maxOutage,
    Duration transactionTimeout,
    Duration warmUp,
    int maxRecordBytes,
    SegmentLimits segmentLimits,
    List<InputSkip> inputSkips,
    PrivacyOptions privacy,
    boolean allowsEmptyState,
    boolean acceptsReplacedInputs,
    boolean failsOnLoss,
    Map<String, String> kafkaSettings,
    RegistryOptions registry,
    Configuration flink) {

  /** Maximum bytes that a batch adds to its record, and a key to its value. */
  public static final int RECORD_OVERHEAD_BYTES = 64 << 10;

  private static final String STAND_IN = "unnamed";

  /** Room for every record without request candidates or attributes, and Kafka's overhead. */
  private static final int LEAST_MAX_RECORD_BYTES = 64 << 10;

  /** Maximum of {@code warmUp}: longer than the time after which event times are accepted. */
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(1);

  /** Brokers close the connection on a request above 100 MiB by default. */
  private static final int MOST_MAX_RECORD_BYTES = 64 << 20;

  public JobConfig {
    specs = List.copyOf(specs);
    inputSkips = List.copyOf(inputSkips);
    kafkaSettings = Map.copyOf(kafkaSettings);
    flink = new Configuration(flink);
  }

  /**
   * Validates a configuration.
   *
   * @throws io.equipoise.cli.InvalidOptionsException with every error: option, value given, value
   *     allowed
   */
  public static JobConfig from(Configuration given) {
    var reader = new OptionReader(given);
    var deployment =
        reader.read(
            JobOptions.DEPLOYMENT,
            STAND_IN,
            Topics.DEPLOYMENT.pattern() + ", at most " + Topics.DEPLOYMENT_MAX_LENGTH,
            Topics::isDeployment);
    var outage = duration(reader, JobOptions.MAX_OUTAGE);
    var outOfOrderness = duration(reader, JobOptions.MAX_OUT_OF_ORDERNESS);
    var appendDelay = duration(reader, JobOptions.MAX_APPEND_DELAY);
    var delivery = reader.read(JobOptions.DELIVERY, "exactly-once or at-least-once", any -> true);
    var checkpointing = Checkpointing.read(reader, given, delivery);
    int maxRecordBytes =
        Math.toIntExact(
            reader
                .read(
                    JobOptions.MAX_RECORD_BYTES,
                    "64 kb to 64 mb",
                    size ->
                        size.getBytes() >= LEAST_MAX_RECORD_BYTES
                            && size.getBytes() <= MOST_MAX_RECORD_BYTES)
                .getBytes());
    var kafka =
        KafkaSettings.read(
            reader,
            given,
            longestTransaction(delivery, checkpointing, outage),
            largestMessageBytes(maxRecordBytes));
    var config =
        new JobConfig(
            new Topics(deployment),
            delivery,
            reader.read(
                JobOptions.RECOVERY_MAX_MEMORY, "1 mb or more", size -> size.getMebiBytes() >= 1),
            paths(reader),
            reader.read(JobOptions.PARTITIONS, "1 to 10000", between(1, 10_000)),
            reader
                .read(JobOptions.REPLICATION_FACTOR, "1 to 32767", between(1, Short.MAX_VALUE))
                .shortValue(),
            duration(reader, JobOptions.MAX_CLOCK_SKEW),
            reader.read(JobOptions.MAX_LAG, "1 ms to 36500 d", lag -> lag.toMillis() >= 1),
            reader.read(
                JobOptions.IDLE_TIMEOUT,
                "longer than equipoise.max-outage (" + outage.toSeconds() + " s)",
                advance -> advance.compareTo(outage) > 0),
            outOfOrderness,
            appendDelay.compareTo(outOfOrderness) > 0 ? appendDelay : outOfOrderness,
            checkpointing.interval(),
            outage,
            kafka.transactionTimeout(),
            reader.read(
                JobOptions.WARM_UP,
                "0 ms to 1 min",
                time -> !time.isNegative() && time.compareTo(LONGEST_WARM_UP) <= 0),
            maxRecordBytes,
            new SegmentLimits(
                positive(reader, JobOptions.SEGMENTS_MOST),
                positive(reader, JobOptions.SEGMENTS_MOST_PASSIVATED)),
            inputSkips(reader, new Topics(deployment)),
            PrivacyOptions.read(reader, given, delivery),
            reader.read(JobOptions.ALLOW_EMPTY_STATE, "true or false", any -> true),
            reader.read(JobOptions.ALLOW_REPLACED_INPUTS, "true or false", any -> true),
            reader.read(JobOptions.ON_LOST_RECORDS, "continue or fail", any -> true)
                == OnLostRecords.FAIL,
            kafka.settings(),
            RegistryOptions.read(reader, given),
            FlinkSettings.read(reader, given, checkpointing, delivery));
    reader.faultUnknownSections();
    reader.faultUnknown(JobOptions.PREFIX, OptionTable.keys());
    SimilarKeys.refuse(given, reader);
    reader.refuseFaults();
    return config;
  }

  /**
   * Returns a copy of the settings for every Kafka client, and those of the schema registry. May
   * contain secrets: do not print.
   */
  public Properties kafka() {
    var properties = new Properties();
    properties.putAll(kafkaSettings);
    properties.putAll(registry.settings());
    return properties;
  }

  /** Returns this configuration with further options. */
  public JobConfig with(Map<String, String> options) {
    var all = new Configuration(flink);
    kafkaSettings.forEach((name, value) -> all.setString(JobOptions.KAFKA_PREFIX + name, value));
    registry.settings().forEach(all::setString);
    options.forEach(all::setString);
    return from(all);
  }

  /** Prints the configuration on one line and without secrets. */
  @Override
  public String toString() {
    var given = new HashMap<>(flink.toMap());
    kafkaSettings.forEach((name, value) -> given.put(JobOptions.KAFKA_PREFIX + name, value));
    given.putAll(registry.settings());
    return "JobConfig" + Secrets.mask(given);
  }

  /** Without transactions of the job, nothing else limits the timeout. */
  private static Duration longestTransaction(
      Delivery delivery, Checkpointing checkpointing, Duration outage) {
    return delivery == Delivery.EXACTLY_ONCE ? checkpointing.longestTransaction(outage) : outage;
  }

  private static Duration duration(OptionReader reader, ConfigOption<Duration> option) {
    return reader.read(option, "1 ms to 36500 d", given -> given.toMillis() >= 1);
  }

  private static int positive(OptionReader reader, ConfigOption<Integer> option) {
    return reader.read(option, "1 to " + Integer.MAX_VALUE, between(1, Integer.MAX_VALUE));
  }

  private static Predicate<Integer> between(int least, int most) {
    return value -> value >= least && value <= most;
  }

  private static List<Path> paths(OptionReader reader) {
    return reader
        .read(
            JobOptions.SPECS,
            "files and directories that exist",
            names -> names.stream().allMatch(name -> Files.isReadable(Path.of(name))))
        .stream()
        .map(Path::of)
        .toList();
  }

  private static List<InputSkip> inputSkips(OptionReader reader, Topics topics) {
    return reader
        .read(
            JobOptions.INPUTS_SKIP,
            "%s of %s, at most %d offsets each, no offset twice"
                .formatted(InputSkip.FORM, topics.inputs(), InputSkip.MOST_OFFSETS),
            texts -> InputSkip.areValid(texts, topics.inputs()))
        .stream()
        .map(InputSkip::parse)
        .toList();
  }

  /** Returns the largest batch of all topics, bytes: that of dead letters. */
  public static int largestMessageBytes(int maxRecordBytes) {
    return maxRecordBytes + 2 * RECORD_OVERHEAD_BYTES;
  }

  /**
   * Finds settings under {@code execution.} and {@code kafka.} that Flink and Kafka do not know,
   * but know almost so. Both ignore them in silence. Others may be read by a plug-in of theirs.
   */
  private static final class SimilarKeys {
    private static final String FLINK_PREFIX = "execution.";
    private static final List<Class<?>> FLINK =
        List.of(
            ExecutionOptions.class,
            CheckpointingOptions.class,
            StateRecoveryOptions.class,
            DeploymentOptions.class,
            BatchExecutionOptions.class);

    private SimilarKeys() {}

    /** Adds an error for each such setting. */
    static void refuse(Configuration given, OptionReader reader) {
      Set<String> kafka = new TreeSet<>(ProducerConfig.configNames());
      kafka.addAll(ConsumerConfig.configNames());
      kafka.addAll(AdminClientConfig.configNames());
      Set<String> flink = flink();
      for (String name : new TreeSet<>(given.toMap().keySet())) {
        if (name.startsWith(JobOptions.KAFKA_PREFIX)) {
          String setting = name.substring(JobOptions.KAFKA_PREFIX.length());
          refuse("Kafka", JobOptions.KAFKA_PREFIX, setting, kafka, reader);
        } else if (name.startsWith(FLINK_PREFIX)) {
          refuse("Flink", "", name, flink, reader);
        }
      }
    }

    private static void refuse(
        String who, String prefix, String name, Set<String> known, OptionReader reader) {
      String near = known.contains(name) ? "" : Nearest.suggestion(name, known);
      if (!near.isEmpty()) {
        String meant = near.replace("mean ", "mean " + prefix).strip();
        reader.fault(
            prefix + name,
            "a setting that " + who + " does not know and would ignore",
            "the settings of " + who + "; " + meant);
      }
    }

    private static Set<String> flink() {
      Set<String> known = new TreeSet<>();
      for (Class<?> options : FLINK) {
        for (Field field : options.getFields()) {
          try {
            if (field.get(null) instanceof ConfigOption<?> option) {
              known.add(option.key());
              option.fallbackKeys().forEach(key -> known.add(key.getKey()));
            }
          } catch (IllegalAccessException e) {
            throw new IllegalStateException("a public field of " + options + " is not readable", e);
          }
        }
      }
      return known;
    }
  }
}
