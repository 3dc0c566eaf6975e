package io.equipoise.job;

import io.equipoise.spec.SpecException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the specs topic from its beginning to the end it has at that moment, with a consumer of its
 * own.
 *
 * <p>Done when the position reaches the end offset, not when a record with it was seen: control
 * records of transactions and compaction leave no record there, and waiting for one can hang.
 */
final class SpecBootstrap implements SpecSource {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(SpecBootstrap.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Properties kafka;
  private final String topic;

  SpecBootstrap(Properties kafka, String topic) {
    this.kafka = new Properties();
    this.kafka.putAll(kafka);
    this.topic = topic;
  }

  /**
   * Returns the good specs of the topic and the retirements, in order. A bad one is logged only:
   * the job reads it once more and sends it to the dead letter.
   */
  @Override
  public List<SpecText> read() {
    Properties settings = new Properties();
    settings.putAll(kafka);
    settings.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    settings.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(consumer, new TopicPartition(topic, 0));
    }
  }

  private static List<SpecText> read(Consumer<byte[], byte[]> consumer, TopicPartition partition) {
    List<TopicPartition> all = List.of(partition);
    consumer.assign(all);
    consumer.seekToBeginning(all);
    Long end = consumer.endOffsets(all).get(partition);
    List<SpecText> specs = new ArrayList<>();
    while (end != null && consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        SpecText spec = decode(record);
        if (spec != null) {
          specs.add(spec);
        }
      }
    }
    return specs;
  }

  /** Returns a record of the specs topic, null where it is bad. */
  private static @Nullable SpecText decode(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    byte[] value = record.value();
    if (key == null) {
      return null;
    }
    SpecText spec = SpecText.of(key, value);
    try {
      spec.check();
      return spec;
    } catch (SpecException e) {
      LOG.warn("Spec {} at offset {} is bad and in force nowhere", spec.key(), record.offset());
      return null;
    }
  }
}
