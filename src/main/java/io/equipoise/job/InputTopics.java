package io.equipoise.job;

import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.JobConfig;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Describes the topics of contexts and rewards at the start of a subtask.
 *
 * @param ids Kafka's id of each topic, by name. A topic that was deleted and created again, and a
 *     mirror on another cluster, have another id.
 * @param begins the first offset of each partition that retention has left
 * @param ends the end offset of each partition
 */
record InputTopics(
    Map<String, String> ids, Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
  InputTopics {
    ids = Map.copyOf(ids);
    begins = Map.copyOf(begins);
    ends = Map.copyOf(ends);
  }

  /** Describes the topics on the machine of a subtask. */
  @FunctionalInterface
  interface Lookup extends Serializable {
    /** Blocks until the brokers reply. */
    InputTopics now();
  }

  /** Returns the lookup of a deployment's topics. */
  static Lookup of(JobConfig config) {
    Properties kafka = config.kafka();
    List<String> names = config.topics().inputs();
    return () -> describe(kafka, names);
  }

  private static InputTopics describe(Properties kafka, List<String> names) {
    Map<String, String> ids = new HashMap<>();
    Map<TopicPartition, OffsetSpec> begins = new HashMap<>();
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    try (Admin admin = Admin.create(kafka)) {
      AdminCall.of(admin.describeTopics(names).allTopicNames(), "describing " + names)
          .forEach(
              (name, topic) -> {
                ids.put(name, topic.topicId().toString());
                topic
                    .partitions()
                    .forEach(
                        it -> {
                          TopicPartition at = new TopicPartition(name, it.partition());
                          begins.put(at, OffsetSpec.earliest());
                          ends.put(at, OffsetSpec.latest());
                        });
              });
      return new InputTopics(ids, offsets(admin, begins), offsets(admin, ends));
    }
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, Map<TopicPartition, OffsetSpec> asked) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    AdminCall.of(admin.listOffsets(asked).all(), "requesting the offsets of contexts and rewards")
        .forEach((at, info) -> offsets.put(at, info.offset()));
    return offsets;
  }
}
