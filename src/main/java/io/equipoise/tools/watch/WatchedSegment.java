package io.equipoise.tools.watch;

import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Describes a segment whose log can be watched.
 *
 * @param champion the spec that it runs under
 */
record WatchedSegment(String name, CompiledSpec champion) {

  /**
   * Finds an active segment.
   *
   * @throws WatchRefusedException if the deployment's log does not suffice, or the segment is not
   *     active
   */
  static WatchedSegment of(JobConfig config, SpecHistory history, String segment) {
    refuseInexact(config);
    WatchRefusal.FEATURES_OFF.refuseIf(
        !config.privacy().areFeaturesTold(),
        "equipoise.privacy.features: false given, so decisions have no features; set it to true");
    String hash = ActiveSegments.read(config).get(segment);
    CompiledSpec champion = hash == null ? null : history.byHash(hash);
    if (champion == null) {
      throw WatchRefusal.SEGMENT_INACTIVE.because(
          hash == null
              ? "--segment: %s given, which has no recent segment event; send it contexts first, or name another"
                  .formatted(segment)
              : "--segment: %s given, which runs spec %s; publish the text of that spec"
                  .formatted(segment, hash));
    }
    boolean isSensitive = !champion.spec().variables().sensitive().isEmpty();
    WatchRefusal.SENSITIVE_HIDDEN.refuseIf(
        isSensitive && config.privacy().sensitive() == SensitiveValues.REDACT,
        "equipoise.privacy.sensitive-values: redact given, so the log has no sensitive values;"
            + " use pseudonymize or plain");
    try {
      config.privacy().unredactor();
    } catch (IllegalStateException e) {
      throw WatchRefusal.SENSITIVE_HIDDEN.because(String.valueOf(e.getMessage()));
    }
    return new WatchedSegment(segment, champion);
  }

  /**
   * Refuses a deployment whose records may be withdrawn after they were counted.
   *
   * @throws WatchRefusedException if delivery is at-least-once
   */
  static void refuseInexact(JobConfig config) {
    WatchRefusal.NOT_EXACTLY_ONCE.refuseIf(
        config.delivery() != Delivery.EXACTLY_ONCE,
        "equipoise.delivery: %s given, under which records may be withdrawn after they were counted; use exactly-once"
            .formatted(config.delivery()));
  }

  /** Returns the partition of a topic that has the segment's records. */
  static TopicPartition partition(Consumer<byte[], byte[]> consumer, String topic, String segment) {
    return Consumers.partition(topic, Consumers.partitions(consumer, topic).size(), segment);
  }

  /** Returns the segment's partition of decisions, and its end with open transactions. */
  Map.Entry<TopicPartition, Long> end(JobConfig config) {
    try (Consumer<byte[], byte[]> all = Consumers.uncommitted(config.kafka(), Map.of())) {
      TopicPartition at = partition(all, config.topics().decisions(), name);
      return Map.entry(at, all.endOffsets(List.of(at)).getOrDefault(at, 0L));
    }
  }
}
