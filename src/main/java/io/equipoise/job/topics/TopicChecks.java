package io.equipoise.job.topics;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.ExistingTopics.Existing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/**
 * Checks existing topics. An error breaks a guarantee of the job; a remark weakens one in a way
 * that an operator may have chosen. Both add up over the checks of one start, by one thread.
 */
final class TopicChecks {
  /** How much longer than a transaction brokers may remember its producer without a remark. */
  private static final int MOST_TIMEOUTS = 4;

  private static final Duration EXPIRATION_MARGIN = Duration.ofMinutes(5);
  private static final String COMPACT = "compact";

  private final JobConfig config;
  private final Topics topics;
  private final List<String> faults = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();

  TopicChecks(JobConfig config) {
    this.config = config;
    this.topics = config.topics();
  }

  void topic(String name, Existing topic) {
    faults.addAll(Permissions.missing(config, name, topic.allowed()));
    if (!topic.allowed().contains(AclOperation.DESCRIBE_CONFIGS)) {
      return; // no settings to check
    }
    replicas(name, topic);
    if (topics.controls().contains(name)) {
      control(name, topic);
    } else {
      stream(name, topic);
    }
    if (topics.inputs().contains(name)) {
      input(name, topic);
      if (name.equals(topics.contexts())) {
        contexts(name, topic);
      }
    } else if (name.equals(topics.decisions()) || name.equals(topics.segmentEvents())) {
      log(name, topic);
    }
  }

  /** If the timeout exceeds the brokers' limit, the sink fails at its first transaction. */
  void transactionTimeout(@Nullable String brokerLimitMillis) {
    var asked = config.transactionTimeout().toMillis();
    if (brokerLimitMillis == null) {
      remarks.add(
          "brokers: their settings may not be read; transaction.max.timeout.ms must be at least %d"
              .formatted(asked));
    } else if (Long.parseLong(brokerLimitMillis) < asked) {
      faults.add(
          "brokers: transaction.max.timeout.ms is %s, below the required %d ms; raise it on the brokers, or lower equipoise.max-outage, execution.checkpointing.timeout or execution.checkpointing.tolerable-failed-checkpoints"
              .formatted(brokerLimitMillis, asked));
    }
  }

  /** Each checkpoint writes with new producers. Every replica of every partition remembers them. */
  void producerExpiration(@Nullable String brokerMillis) {
    var timeout = config.transactionTimeout();
    if (config.delivery() == Delivery.EXACTLY_ONCE
        && brokerMillis != null
        && Long.parseLong(brokerMillis) > timeout.multipliedBy(MOST_TIMEOUTS).toMillis()) {
      remarks.add(
          "brokers: producer.id.expiration.ms is %s; each replica of an output partition keeps some 230 bytes of heap that long for every checkpoint and subtask that wrote to it; kafka-configs.sh --alter --entity-type brokers --entity-default --add-config producer.id.expiration.ms=%d"
              .formatted(brokerMillis, timeout.plus(EXPIRATION_MARGIN).toMillis()));
    }
  }

  void refuseFaults() {
    if (!faults.isEmpty()) {
      throw new StartRefusedException("The topics are rejected", faults);
    }
  }

  List<String> remarks() {
    return List.copyOf(remarks);
  }

  /** With one replica, no other replica can have the record. */
  private void replicas(String name, Existing topic) {
    var least = topic.settings().getOrDefault(MIN_IN_SYNC_REPLICAS_CONFIG, "1");
    if (topic.replicas() > 1 && least.equals("1")) {
      remarks.add(
          "%s: has %d replicas and min.insync.replicas is 1; a record may be lost with one broker, after it was acknowledged; kafka-configs.sh --alter --topic %s --add-config min.insync.replicas=2"
              .formatted(name, topic.replicas(), name));
    }
    if (topic.settings().getOrDefault(UNCLEAN_LEADER_ELECTION_ENABLE_CONFIG, "").equals("true")) {
      remarks.add(
          "%s: unclean.leader.election.enable is true; acknowledged records are lost when a lagging broker becomes the leader; kafka-configs.sh --alter --topic %s --add-config unclean.leader.election.enable=false"
              .formatted(name, name));
    }
  }

  private void control(String name, Existing topic) {
    if (!topic.settings().getOrDefault(CLEANUP_POLICY_CONFIG, "").equals(COMPACT)) {
      faults.add(
          "%s: cleanup.policy is %s, must be compact, or texts that log records refer to are lost; kafka-configs.sh --alter --topic %s --add-config cleanup.policy=compact"
              .formatted(name, topic.settings().get(CLEANUP_POLICY_CONFIG), name));
    }
    if (topic.partitions() != 1) {
      faults.add(
          "%s: has %d partitions, must have 1 to keep its records in order; delete it with kafka-topics.sh --delete --topic %s, start again and publish its records again"
              .formatted(name, topic.partitions(), name));
    }
  }

  private void stream(String name, Existing topic) {
    if (topic.settings().getOrDefault(CLEANUP_POLICY_CONFIG, "").contains(COMPACT)) {
      faults.add(
          "%s: cleanup.policy is %s, must be delete: compaction keeps only the last record of a segment%s; kafka-configs.sh --alter --topic %s --add-config cleanup.policy=delete"
              .formatted(
                  name,
                  topic.settings().get(CLEANUP_POLICY_CONFIG),
                  name.equals(topics.decisions())
                      ? " and deletes writer-epoch markers, so that withdrawn decisions look valid"
                      : "",
                  name));
    }
    if (topics.outputs().contains(name)) {
      output(name, topic);
    }
  }

  private void output(String name, Existing topic) {
    if (topic.partitions() != config.partitions()) {
      remarks.add(
          "%s: has %d partitions, equipoise.partitions is %d; only seq orders records of a segment from before and after such a change"
              .formatted(name, topic.partitions(), config.partitions()));
    }
    var limit = topic.settings().get(MAX_MESSAGE_BYTES_CONFIG);
    int wanted = TopicSetup.maxMessageBytes(config, name);
    int least = name.equals(topics.deadLetter()) ? wanted : config.maxRecordBytes();
    if (limit != null && Long.parseLong(limit) < least) {
      faults.add(
          "%s: max.message.bytes is %s, below the %d that equipoise.max-record-bytes requires; kafka-configs.sh --alter --topic %s --add-config max.message.bytes=%d"
              .formatted(name, limit, least, name, wanted));
    }
  }

  private void input(String name, Existing topic) {
    if (!topic.settings().getOrDefault(MESSAGE_TIMESTAMP_TYPE_CONFIG, "").equals("LogAppendTime")) {
      remarks.add(
          "%s: message.timestamp.type is not LogAppendTime; EVENT_TIME_IN_FUTURE depends on the clock at reading"
              .formatted(name));
    }
  }

  private void contexts(String name, Existing topic) {
    String limits = limits(topic);
    if (!config.privacy().areFeaturesTold() && !limits.isEmpty()) {
      remarks.add(
          "%s: %s; decisions whose contexts are older cannot be replayed, since %s is false"
              .formatted(name, limits, JobOptions.PRIVACY_FEATURES.key()));
    }
  }

  private void log(String name, Existing topic) {
    String limits = limits(topic);
    if (!limits.isEmpty()) {
      remarks.add("%s: %s; only a savepoint can replay older records".formatted(name, limits));
    }
  }

  /** Lists the settings by which records are removed; empty if all are kept. */
  private static String limits(Existing topic) {
    var limits = new StringJoiner(", ");
    for (var setting : List.of(RETENTION_MS_CONFIG, RETENTION_BYTES_CONFIG)) {
      var limit = topic.settings().getOrDefault(setting, TopicSetup.FOREVER);
      if (!limit.equals(TopicSetup.FOREVER)) {
        limits.add(setting + " is " + limit);
      }
    }
    return limits.toString();
  }
}
