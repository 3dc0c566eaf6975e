package io.equipoise.job.options;

import io.equipoise.segmentspec.Nearest;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Finds settings under {@code execution.} and {@code kafka.} that Flink and Kafka do not know, but
 * know almost so. Both ignore them in silence. Others may be read by a plug-in of theirs.
 */
final class SimilarKeys {
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
