package io.equipoise.job.topics;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Checks the permissions that the job needs on a Kafka cluster with ACLs. Without this check, a job
 * would fail at its first checkpoint, or would never commit an offset.
 *
 * <pre>
 *   contexts, rewards         Read, DescribeConfigs
 *   five outputs              Write, DescribeConfigs; decisions also Read if at-least-once
 *   specs                     Read, Write, DescribeConfigs
 *   causal bounds                    Read, DescribeConfigs
 *   group DEPLOYMENT.job      Read
 *   transactional ids that begin with DEPLOYMENT.job.    Write, if exactly-once
 * </pre>
 *
 * <p>In Kafka, Read and Write imply Describe. Missing topics need Create; DescribeConfigs on the
 * cluster only avoids a remark. Read on the decisions lets an exactly-once start detect earlier
 * at-least-once delivery, see {@code DeliveryCheck}. Together with Read on the segment events it
 * detects a history that would be lost, see {@code HistoryCheck}.
 */
public final class Permissions {
  private static final List<String> NONE = List.of();
  private static final String WHAT = "Kafka denies operations that the job needs";

  private Permissions() {}

  /** Returns a line for each operation on a topic that is needed and denied. */
  public static List<String> missing(JobConfig config, String topic, Set<AclOperation> allowed) {
    Set<AclOperation> needed = needed(config, topic);
    needed.removeAll(allowed);
    return needed.stream().map(it -> fault("--topic " + topic, it)).toList();
  }

  /** Rejects topics that do not exist, as far as visible, and that the client may not create. */
  public static StartRefusedException mayNotCreate(JobConfig config, List<String> names) {
    return new StartRefusedException(
        WHAT,
        names.stream()
            .map(
                name ->
                    "--topic %s: does not exist or is not visible; create it or allow Create, and allow %s with kafka-acls.sh"
                        .formatted(
                            name,
                            needed(config, name).stream()
                                .map(Permissions::shown)
                                .collect(Collectors.joining(", "))))
            .toList());
  }

  private static Set<AclOperation> needed(JobConfig config, String topic) {
    Topics topics = config.topics();
    Set<AclOperation> needed = EnumSet.of(AclOperation.DESCRIBE_CONFIGS);
    boolean isReadAgain =
        config.delivery() == Delivery.AT_LEAST_ONCE && topic.equals(topics.decisions());
    if (isReadAgain || !topics.outputs().contains(topic)) {
      needed.add(AclOperation.READ);
    }
    if (topics.outputs().contains(topic) || topic.equals(topics.specs())) {
      needed.add(AclOperation.WRITE);
    }
    return needed;
  }

  /**
   * Checks the consumer group and the transactional ids. Kafka cannot check Read on a group that
   * does not exist yet, but it can check Describe.
   *
   * @throws StartRefusedException with everything that is missing
   */
  public static void check(Admin admin, JobConfig config) throws InterruptedException {
    Topics topics = config.topics();
    List<String> faults = new ArrayList<>();
    String group = topics.consumerGroup();
    var options = new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
    Map<String, KafkaFuture<ConsumerGroupDescription>> described =
        admin.describeConsumerGroups(List.of(group), options).describedGroups();
    try {
      Set<AclOperation> allowed = described.get(group).get().authorizedOperations();
      if (allowed != null && !allowed.contains(AclOperation.READ)) {
        faults.add(fault("--group " + group, AclOperation.READ));
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException) {
        faults.add(fault("--group " + group, AclOperation.READ));
      } else if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw new IllegalStateException("cannot describe group " + group, e.getCause());
      }
    }
    boolean isExactlyOnce = config.delivery() == Delivery.EXACTLY_ONCE;
    for (String sink :
        isExactlyOnce ? List.of(Topics.OUTPUTS, Topics.UNDECODABLE, Topics.OWNER) : NONE) {
      transactionalId(admin, topics.transactionalIdPrefix(sink) + "-start", faults);
    }
    if (!faults.isEmpty()) {
      throw new StartRefusedException(WHAT, faults);
    }
  }

  /**
   * Fences an id that no job uses, without a producer: the only request with the same permissions
   * as a producer.
   */
  private static void transactionalId(Admin admin, String id, List<String> faults)
      throws InterruptedException {
    try {
      admin.fenceProducers(List.of(id)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AuthorizationException)) {
        throw new IllegalStateException("cannot use transactional id " + id, e.getCause());
      }
      faults.add(fault("--transactional-id " + id, AclOperation.WRITE));
    }
  }

  private static String fault(String resource, AclOperation operation) {
    String name = shown(operation);
    return "%s: %s is not allowed; kafka-acls.sh --add --allow-principal User:... --operation %s %s"
        .formatted(resource, name, name, resource);
  }

  /** Formats an operation for kafka-acls.sh. */
  private static String shown(AclOperation operation) {
    StringBuilder name = new StringBuilder();
    for (String word : operation.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
