package io.equipoise.audit.log;

import io.equipoise.job.topics.Consumers;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * Creates consumers for a log. They fail if an offset is out of range. They give up after 15 s
 * without an answer, or after the user's {@code kafka.default.api.timeout.ms}.
 */
final class LogConsumers {
  private static final String DEFAULT_API_TIMEOUT_MILLIS = "15000";
  private static final Map<String, String> NO_RESET =
      Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");

  private LogConsumers() {}

  static Consumer<byte[], byte[]> committed(Properties kafka) {
    return Consumers.committed(withTimeout(kafka), NO_RESET);
  }

  static Consumer<byte[], byte[]> uncommitted(Properties kafka) {
    return Consumers.uncommitted(withTimeout(kafka), NO_RESET);
  }

  private static Properties withTimeout(Properties kafka) {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, DEFAULT_API_TIMEOUT_MILLIS);
    return settings;
  }
}
