package io.equipoise.audit.report;

import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads an audit topic from its beginning to the end that it has when reading begins. */
public final class AuditTopic {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Properties kafka = new Properties();
  private final String topic;
  private final Duration patience;

  /**
   * Names what is read.
   *
   * @param kafka the properties of a client, with the brokers
   * @param patience how long brokers may stay silent
   */
  public AuditTopic(Properties kafka, String topic, Duration patience) {
    this.kafka.putAll(kafka);
    this.kafka.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    this.kafka.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    this.kafka.setProperty(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(patience.toMillis()));
    this.kafka.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    this.kafka.remove(ConsumerConfig.GROUP_ID_CONFIG);
    this.topic = topic;
    this.patience = patience;
  }

  /**
   * Hands over every committed record, in order within a partition. A record of a later version
   * that cannot be read is passed over; how many is returned.
   *
   * @throws UnreadableTopicException if the brokers do not answer or there is no such topic
   */
  public int read(Consumer<FairnessAudit> into) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(kafka, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return read(consumer, into);
    } catch (KafkaException e) {
      throw new UnreadableTopicException(
          "topic "
              + topic
              + " cannot be read at "
              + kafka.getProperty("bootstrap.servers")
              + ": "
              + e.getMessage()
              + "; check kafka.bootstrap.servers and the deployment's name",
          e);
    }
  }

  private int read(KafkaConsumer<byte[], byte[]> consumer, Consumer<FairnessAudit> into) {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic);
    if (partitions == null || partitions.isEmpty()) {
      throw new UnreadableTopicException(
          "there is no topic " + topic + "; check the deployment's name", null);
    }
    List<TopicPartition> all =
        partitions.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    Map<TopicPartition, Long> ends = consumer.endOffsets(all);
    int unread = 0;
    long heard = System.nanoTime();
    while (all.stream().anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        unread += hand(record, into) ? 0 : 1;
      }
      if (!records.isEmpty()) {
        heard = System.nanoTime();
      } else if (System.nanoTime() - heard > patience.toNanos()) {
        throw new UnreadableTopicException(
            "the brokers of topic "
                + topic
                + " have sent nothing for "
                + patience.toSeconds()
                + " s",
            null);
      }
    }
    return unread;
  }

  private static boolean hand(ConsumerRecord<byte[], byte[]> record, Consumer<FairnessAudit> into) {
    byte[] value = record.value();
    if (value == null) {
      return false;
    }
    try {
      into.accept(Wire.AUDIT.decode(value));
      return true;
    } catch (WireException e) {
      return false;
    }
  }
}
