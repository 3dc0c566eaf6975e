package io.equipoise.job.topics;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_BYTES_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a deployment's missing topics and checks the existing ones.
 *
 * <p>Never alters existing topics. It reports each problem with the command that fixes it, and
 * refuses the start if the job could not keep its guarantees. Two launchers may run this at once.
 */
public final class TopicSetup {
  private static final Logger LOG = LoggerFactory.getLogger(TopicSetup.class);

  static final String FOREVER = "-1";

  /** Kafka 4.2 lacks this setting; without it one compressed record may expand to gigabytes. */
  static final String MAX_DECOMPRESSED = "max.decompressed.message.bytes";

  /** Maximum ratio of a well-compressed batch's size in memory to its size on disk. */
  private static final int MOST_EXPANSION = 16;

  private final Admin admin;
  private final ExistingTopics existingTopics;
  private final JobConfig config;

  public TopicSetup(Admin admin, JobConfig config) {
    this.admin = admin;
    this.existingTopics = new ExistingTopics(admin);
    this.config = config;
  }

  /**
   * Reports the result of the setup.
   *
   * @param created topics that were created
   * @param remarks acceptable deviations of existing topics, one line each
   */
  public record Report(List<String> created, List<String> remarks) {}

  /**
   * Creates missing topics, checks the others, and returns when the brokers know all of them.
   * Creates nothing if it refuses the start.
   *
   * @throws StartRefusedException with every error of every topic and its remedy
   */
  public Report prepare() {
    boolean areBombsRefused = existingTopics.brokerSetting(MAX_DECOMPRESSED) != null;
    if (!areBombsRefused) {
      LOG.warn(
          "The brokers do not support {}, or their settings may not be read: a small compressed"
              + " record may expand to gigabytes and stop the job; let only trusted clients write"
              + " to {}",
          MAX_DECOMPRESSED,
          config.topics().inputs());
    }
    var wanted = wanted();
    if (areBombsRefused) {
      wanted.replaceAll((name, topic) -> withoutBombs(topic));
    }
    var remarks = check(wanted);
    var missing = new LinkedHashMap<>(wanted);
    missing.keySet().removeAll(existingTopics.among(wanted.keySet()).keySet());
    var created = create(missing);
    existingTopics.awaitAll(wanted.keySet());
    if (created.size() < missing.size()) { // another launcher was faster, with its own settings
      remarks = check(wanted);
    }
    return new Report(created, remarks);
  }

  private NewTopic withoutBombs(NewTopic topic) {
    var settings = new HashMap<>(topic.configs());
    long most = (long) maxMessageBytes(config, topic.name()) * MOST_EXPANSION;
    settings.put(MAX_DECOMPRESSED, Long.toString(Math.min(Integer.MAX_VALUE, most)));
    return topic.configs(settings);
  }

  private List<String> check(Map<String, NewTopic> wanted) {
    var checks = new TopicChecks(config);
    checks.transactionTimeout(existingTopics.brokerSetting("transaction.max.timeout.ms"));
    checks.producerExpiration(existingTopics.brokerSetting("producer.id.expiration.ms"));
    existingTopics.among(wanted.keySet()).forEach(checks::topic);
    checks.refuseFaults();
    return checks.remarks();
  }

  private Map<String, NewTopic> wanted() {
    var topics = config.topics();
    var wanted = new LinkedHashMap<String, NewTopic>();
    for (var names : List.of(topics.inputs(), topics.outputs(), topics.controls())) {
      names.forEach(
          name -> want(wanted, name, settings(topics, name, config.privacy().areFeaturesTold())));
    }
    return wanted;
  }

  /**
   * Returns the settings of a new topic, except the record size. Experiments are kept forever, like
   * the log: there are few, and a report needs all phases. Contexts are kept forever if replaying
   * decisions needs them.
   */
  static Map<String, String> settings(Topics topics, String name, boolean areFeaturesTold) {
    if (topics.controls().contains(name)) {
      return Map.of(CLEANUP_POLICY_CONFIG, CLEANUP_POLICY_COMPACT);
    }
    var settings = new HashMap<String, String>();
    if (topics.inputs().contains(name)) {
      settings.put(MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    }
    boolean isLog =
        List.of(topics.decisions(), topics.segmentEvents(), topics.experiments(), topics.watch())
            .contains(name);
    if (isLog || (!areFeaturesTold && name.equals(topics.contexts()))) {
      settings.put(RETENTION_MS_CONFIG, FOREVER);
      settings.put(RETENTION_BYTES_CONFIG, FOREVER);
    }
    return settings;
  }

  /** Returns the topic {@code watch}, which the job does not know. It has one partition. */
  public static NewTopic watch(JobConfig config) {
    String name = config.topics().watch();
    return topic(config, name, 1, settings(config.topics(), name, true));
  }

  private void want(Map<String, NewTopic> wanted, String name, Map<String, String> settings) {
    var partitions = config.topics().controls().contains(name) ? 1 : config.partitions();
    wanted.put(name, topic(config, name, partitions, settings));
  }

  private static NewTopic topic(
      JobConfig config, String name, int partitions, Map<String, String> settings) {
    var all = new HashMap<>(settings);
    all.put(MAX_MESSAGE_BYTES_CONFIG, Integer.toString(maxMessageBytes(config, name)));
    if (config.replicationFactor() >= 3) {
      all.put(MIN_IN_SYNC_REPLICAS_CONFIG, "2"); // an acknowledged record outlives one broker
    }
    return new NewTopic(name, partitions, config.replicationFactor()).configs(all);
  }

  /** Returns the largest batch of a topic; a dead letter contains any input record. */
  public static int maxMessageBytes(JobConfig config, String topic) {
    int most = config.maxRecordBytes() + JobConfig.RECORD_OVERHEAD_BYTES;
    return topic.equals(config.topics().deadLetter())
        ? JobConfig.largestMessageBytes(config.maxRecordBytes())
        : most;
  }

  /** Creates topics and returns the names of those that did not exist, sorted. */
  private List<String> create(Map<String, NewTopic> missing) {
    var created = new ArrayList<String>();
    var forbidden = new ArrayList<String>();
    for (var result : admin.createTopics(missing.values()).values().entrySet()) {
      try {
        result.getValue().get();
        created.add(result.getKey());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AuthorizationException) {
          forbidden.add(result.getKey());
        } else if (!(e.getCause() instanceof TopicExistsException)) {
          throw new IllegalStateException("cannot create topic " + result.getKey(), e.getCause());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while creating " + result.getKey(), e);
      }
    }
    if (!forbidden.isEmpty()) {
      forbidden.sort(null);
      throw Permissions.mayNotCreate(config, forbidden);
    }
    created.sort(null);
    return created;
  }
}
