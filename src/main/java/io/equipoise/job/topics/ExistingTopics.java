package io.equipoise.job.topics;

import io.equipoise.job.options.AdminCall;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/** Describes the existing topics and settings of a Kafka cluster. */
final class ExistingTopics {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL_PAUSE = Duration.ofMillis(50);

  private final Admin admin;

  ExistingTopics(Admin admin) {
    this.admin = admin;
  }

  /**
   * Describes an existing topic.
   *
   * @param settings empty if they may not be read
   * @param allowed operations that this client may do; all if the brokers do not report them
   */
  record Existing(
      int partitions, int replicas, Map<String, String> settings, Set<AclOperation> allowed) {}

  /** Returns the existing ones of the named topics, by name. */
  Map<String, Existing> among(Set<String> names) {
    var present = present(names);
    var options = new DescribeTopicsOptions().includeAuthorizedOperations(true);
    var described =
        AdminCall.of(admin.describeTopics(present, options).allTopicNames(), "describing topics");
    var allowed = new TreeMap<String, Set<AclOperation>>();
    described.forEach((name, topic) -> allowed.put(name, allowed(topic)));
    var settings =
        settings(
            present.stream()
                .filter(name -> allowed.get(name).contains(AclOperation.DESCRIBE_CONFIGS))
                .collect(Collectors.toSet()));
    var existing = new TreeMap<String, Existing>();
    described.forEach(
        (name, topic) ->
            existing.put(
                name,
                new Existing(
                    topic.partitions().size(),
                    topic.partitions().get(0).replicas().size(),
                    settings.getOrDefault(name, Map.of()),
                    allowed.get(name))));
    return existing;
  }

  private static Set<AclOperation> allowed(TopicDescription topic) {
    Set<AclOperation> allowed = topic.authorizedOperations();
    return allowed == null ? EnumSet.allOf(AclOperation.class) : allowed;
  }

  /**
   * Waits until the brokers report all topics. A new topic is unknown for some milliseconds, and a
   * job that starts in that time fails.
   */
  void awaitAll(Set<String> names) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var present = present(names);
    while (present.size() < names.size()) {
      if (System.nanoTime() > deadline) {
        var absent = new HashSet<>(names);
        absent.removeAll(present);
        throw new IllegalStateException(
            "the brokers do not report topics " + absent + " after " + PATIENCE);
      }
      LockSupport.parkNanos(POLL_PAUSE.toNanos());
      present = present(names);
    }
  }

  /** Reads a setting of one broker, as it must be the same on all; null if that is denied. */
  @Nullable String brokerSetting(String name) {
    var node = AdminCall.of(admin.describeCluster().nodes(), "describing the cluster").iterator();
    var broker = new ConfigResource(ConfigResource.Type.BROKER, node.next().idString());
    var described = admin.describeConfigs(List.of(broker)).all();
    try {
      var settings = AdminCall.of(described, "describing a broker's settings");
      return values(settings.getOrDefault(broker, new Config(List.of()))).get(name);
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof AuthorizationException) {
        return null;
      }
      throw e;
    }
  }

  private Set<String> present(Set<String> names) {
    var present = new HashSet<>(AdminCall.of(admin.listTopics().names(), "listing topics"));
    present.retainAll(names);
    return present;
  }

  private Map<String, Map<String, String>> settings(Set<String> names) {
    var resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    var described =
        AdminCall.of(admin.describeConfigs(resources).all(), "describing topic settings");
    var settings = new TreeMap<String, Map<String, String>>();
    described.forEach((resource, found) -> settings.put(resource.name(), values(found)));
    return settings;
  }

  private static Map<String, String> values(Config found) {
    var values = new TreeMap<String, String>();
    found.entries().stream()
        .filter(entry -> entry.value() != null)
        .forEach(entry -> values.put(entry.name(), entry.value()));
    return values;
  }
}
