package io.equipoise.job.options;

import io.equipoise.segmentspec.Nearest;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
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
public final class SimilarKeys {
  private static final String FLINK_PREFIX = "execution.";
  private static final List<Class<?>> FLINK =
      List.of(
          ExecutionOptions.class,
          CheckpointingOptions.class,
          StateRecoveryOptions.class,
          DeploymentOptions.class,
          BatchExecutionOptions.class);

  private SimilarKeys() {}

  /** Returns one sentence for each such setting. */
  public static List<String> warnings(JobConfig config) {
    List<String> warnings = new ArrayList<>();
    Set<String> kafka = new TreeSet<>(ProducerConfig.configNames());
    kafka.addAll(ConsumerConfig.configNames());
    kafka.addAll(AdminClientConfig.configNames());
    new TreeSet<>(config.kafka().stringPropertyNames())
        .forEach(name -> warn("Kafka", JobOptions.KAFKA_PREFIX, name, kafka, warnings));
    Set<String> flink = flink();
    config.flink().keySet().stream()
        .filter(name -> name.startsWith(FLINK_PREFIX))
        .forEach(name -> warn("Flink", "", name, flink, warnings));
    return warnings;
  }

  private static void warn(
      String who, String prefix, String name, Set<String> known, List<String> warnings) {
    String near = known.contains(name) ? "" : Nearest.suggestion(name, known);
    if (!near.isEmpty()) {
      String meant = near.replace("mean ", "mean " + prefix).strip();
      warnings.add("%s does not know %s%s and ignores it; %s".formatted(who, prefix, name, meant));
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
