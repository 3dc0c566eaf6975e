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

/** Asks a Kafka cluster what is there. */
final class ExistingTopics {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration POLL_PAUSE = Duration.ofMillis(50);

  private final Admin admin;

  ExistingTopics(Admin admin) {
    this.admin = admin;
  }

  /**
   * An existing topic, as far as it matters here.
   *
   * @param settings empty where they may not be read
   * @param allowed what this client may do with it; all where the brokers do not tell
   */
  record Existing(
      int partitions, int replicas, Map<String, String> settings, Set<AclOperation> allowed) {}

  /** Returns those of the named topics that exist, by name. */
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
   * Waits until the brokers tell of all topics. A topic that was created a moment ago is unknown
   * for some milliseconds more, and a job that starts in them fails.
   */
  void awaitAll(Set<String> names) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var present = present(names);
    while (present.size() < names.size()) {
      if (System.nanoTime() > deadline) {
        var absent = new HashSet<>(names);
        absent.removeAll(present);
        throw new IllegalStateException("topics not there after " + PATIENCE + ": " + absent);
      }
      LockSupport.parkNanos(POLL_PAUSE.toNanos());
      present = present(names);
    }
  }

  /** Asks one broker, as the setting must be the same on all; null if it may not be asked. */
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
