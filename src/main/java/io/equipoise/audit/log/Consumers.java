package io.equipoise.audit.log;

import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Makes consumers that belong to no group, commit nothing and create no topic. */
final class Consumers {
  static final String COMMITTED = "read_committed";
  static final String UNCOMMITTED = "read_uncommitted";

  private static final String DEFAULT_API_TIMEOUT_MILLIS = "15000";

  private Consumers() {}

  static Consumer<byte[], byte[]> open(Properties kafka, String isolation) {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.keySet().removeIf(key -> !ConsumerConfig.configNames().contains(key));
    settings.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, DEFAULT_API_TIMEOUT_MILLIS);
    settings.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation);
    settings.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    settings.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
