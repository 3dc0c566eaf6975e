package io.equipoise.job.options;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;

/**
 * Checks the settings under {@code kafka.} for every Kafka client against the job's requirements.
 */
record KafkaSettings(Map<String, String> settings, Duration transactionTimeout) {
  private static final String BOOTSTRAP = "bootstrap.servers";
  private static final String BATCH_SIZE = "batch.size";
  private static final String BUFFER_MEMORY = "buffer.memory";
  private static final String TRANSACTION_TIMEOUT = "transaction.timeout.ms";
  private static final Duration TIMEOUT_MARGIN = Duration.ofSeconds(30);

  /** Settings that the job determines, with the reason for the operator. */
  private static final Map<String, String> DECIDED_BY_THE_JOB =
      Map.of(
          "group.id", "nothing: it derives from equipoise.deployment",
          "transactional.id", "nothing: it derives from equipoise.deployment",
          "isolation.level", "nothing: the job reads committed records",
          "enable.auto.commit", "nothing: offsets are in the checkpoints",
          "enable.idempotence", "nothing: transactions need it",
          "acks", "nothing: transactions need acks=all",
          "max.request.size", "nothing: it derives from equipoise.max-record-bytes",
          "partitioner.class", "nothing: all records of a segment go to one partition",
          "partitioner.ignore.keys", "nothing: all records of a segment go to one partition");

  /** Kafka's default. */
  private static final long BUFFER_MEMORY_BYTES = 32L << 20;

  /** Returns the given settings, by their names without the prefix. */
  static TreeMap<String, String> given(Configuration given) {
    var settings = new TreeMap<String, String>();
    given
        .toMap()
        .forEach(
            (name, value) -> {
              if (name.startsWith(JobOptions.KAFKA_PREFIX)) {
                settings.put(name.substring(JobOptions.KAFKA_PREFIX.length()), value);
              }
            });
    return settings;
  }

  /**
   * Reads the settings.
   *
   * @param longestTransaction how long a transaction may stay open until the job commits it
   * @param largestRequest largest request of the job, bytes
   */
  static KafkaSettings read(
      OptionReader reader, Configuration given, Duration longestTransaction, int largestRequest) {
    var settings = given(given);
    if (settings.getOrDefault(BOOTSTRAP, "").isBlank()) {
      reader.fault(
          JobOptions.KAFKA_PREFIX + BOOTSTRAP, "nothing", "brokers as host:port,host:port");
    }
    settings.forEach(
        (name, value) -> {
          var reason = DECIDED_BY_THE_JOB.get(name);
          if (reason != null) {
            reader.fault(JobOptions.KAFKA_PREFIX + name, "'" + value + "'", reason);
          }
        });
    var timeout = transactionTimeout(reader, settings, longestTransaction);
    settings.put(TRANSACTION_TIMEOUT, Long.toString(timeout.toMillis()));
    long batch = bytes(reader, settings, BATCH_SIZE, 0, 0, largestRequest);
    long least = Math.max(largestRequest, batch);
    long standard = Math.max(BUFFER_MEMORY_BYTES, 2 * least);
    long memory = bytes(reader, settings, BUFFER_MEMORY, standard, least, Long.MAX_VALUE);
    if (memory != BUFFER_MEMORY_BYTES) {
      settings.put(BUFFER_MEMORY, Long.toString(memory));
    }
    return new KafkaSettings(settings, timeout);
  }

  /** Returns a number of bytes with limits derived from {@code equipoise.max-record-bytes}. */
  private static long bytes(
      OptionReader reader,
      Map<String, String> settings,
      String name,
      long standard,
      long least,
      long most) {
    var given = settings.get(name);
    if (given == null) {
      return standard;
    }
    try {
      long bytes = Long.parseLong(given.trim());
      if (bytes >= least && bytes <= most) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // Reported below like any other invalid value.
    }
    reader.fault(
        JobOptions.KAFKA_PREFIX + name,
        "'" + given + "'",
        (most == Long.MAX_VALUE ? least + " or more" : least + " to " + most)
            + ", derived from equipoise.max-record-bytes");
    return standard;
  }

  private static Duration transactionTimeout(
      OptionReader reader, Map<String, String> settings, Duration longestTransaction) {
    var standard = longestTransaction.plus(TIMEOUT_MARGIN);
    var given = settings.get(TRANSACTION_TIMEOUT);
    if (given == null) {
      return standard;
    }
    try {
      var timeout = Duration.ofMillis(Integer.parseInt(given));
      if (timeout.compareTo(longestTransaction) > 0) {
        return timeout;
      }
    } catch (NumberFormatException e) {
      // Reported below like any other invalid value.
    }
    reader.fault(
        JobOptions.KAFKA_PREFIX + TRANSACTION_TIMEOUT,
        "'" + given + "'",
        "more than "
            + longestTransaction.toMillis()
            + ", the longest time that a transaction stays open: equipoise.max-outage and,"
            + " if equipoise.delivery is exactly-once, execution.checkpointing.interval +"
            + " (execution.checkpointing.tolerable-failed-checkpoints + 2) x"
            + " (execution.checkpointing.timeout + execution.checkpointing.min-pause)");
    return standard;
  }
}
