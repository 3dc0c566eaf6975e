package io.equipoise.audit.log;

import io.equipoise.job.topics.Consumers;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Makes consumers for a log: they never go on elsewhere than where they were told to, and say after
 * 15 s, or the user's {@code kafka.default.api.timeout.ms}, that no broker answers.
 */
final class LogConsumers {
  private static final String DEFAULT_API_TIMEOUT_MILLIS = "15000";
  private static final Map<String, String> NOWHERE_ELSE =
      Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");

  private LogConsumers() {}

  static Consumer<byte[], byte[]> committed(Properties kafka) {
    return Consumers.committed(patient(kafka), NOWHERE_ELSE);
  }

  static Consumer<byte[], byte[]> uncommitted(Properties kafka) {
    return Consumers.uncommitted(patient(kafka), NOWHERE_ELSE);
  }

  private static Properties patient(Properties kafka) {
    Properties patient = new Properties();
    patient.putAll(kafka);
    patient.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, DEFAULT_API_TIMEOUT_MILLIS);
    return patient;
  }
}
