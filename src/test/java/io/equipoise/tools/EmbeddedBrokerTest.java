package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {
  private static final String TOPIC = "letters";
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @Test
  void committedRecordsOutliveTheBrokerAndAbortedOnesAreNeverRead(@TempDir Path directory)
      throws Exception {
    try (var broker = EmbeddedBroker.start(directory)) {
      createTopic(broker);
      produce(broker, "aborted", false);
      produce(broker, "committed", true);
      assertEquals(List.of("committed"), values(committed(broker, 1)));
    }
    try (var broker = EmbeddedBroker.start(directory)) {
      produce(broker, "after the restart", true);
      assertEquals(List.of("committed", "after the restart"), values(committed(broker, 2)));
    }
  }

  @Test
  void recordsCarryTheAppendTimeWhereTheTopicAsksForIt() throws Exception {
    try (var broker = EmbeddedBroker.start()) {
      createTopic(broker);
      produce(broker, "stamped", true);
      var read = committed(broker, 1).get(0);
      assertEquals(TimestampType.LOG_APPEND_TIME, read.timestampType());
      assertTrue(read.timestamp() > 1, "the producer's timestamp is not kept");
    }
  }

  @Test
  void aTopicThatNobodyCreatedIsAnError() {
    try (var broker = EmbeddedBroker.start()) {
      var settings = new HashMap<>(clientSettings(broker));
      settings.put("max.block.ms", "2000");
      try (var producer =
          new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
        assertThrows(TimeoutException.class, () -> producer.partitionsFor("misspelt"));
      }
    }
  }

  @Test
  void theTemporaryDirectoryGoesWithTheBroker() {
    var broker = EmbeddedBroker.start();
    var directory = broker.directory();
    assertTrue(Files.isDirectory(directory));
    broker.close();
    assertFalse(Files.exists(directory));
    broker.close(); // closing twice is harmless
  }

  private static void createTopic(EmbeddedBroker broker) throws Exception {
    try (var admin = Admin.create(clientSettings(broker))) {
      var topic =
          new NewTopic(TOPIC, 1, (short) 1)
              .configs(Map.of("message.timestamp.type", "LogAppendTime"));
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  private static void produce(EmbeddedBroker broker, String value, boolean isCommitted)
      throws Exception {
    var settings = new HashMap<>(clientSettings(broker));
    settings.put("transactional.id", "writer");
    settings.put("transaction.timeout.ms", Long.toString(Duration.ofMinutes(20).toMillis()));
    try (var producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(TOPIC, 0, 1L, "key", value)).get();
      if (isCommitted) {
        producer.commitTransaction();
      } else {
        producer.abortTransaction();
      }
    }
  }

  private static List<ConsumerRecord<String, String>> committed(EmbeddedBroker broker, int count) {
    var settings = new HashMap<>(clientSettings(broker));
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    var read = new ArrayList<ConsumerRecord<String, String>>();
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      var partition = new TopicPartition(TOPIC, 0);
      consumer.assign(List.of(partition));
      var deadline = System.nanoTime() + DEADLINE.toNanos();
      while (read.size() < count && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(100)).forEach(read::add);
      }
    }
    return read;
  }

  private static List<String> values(List<ConsumerRecord<String, String>> records) {
    return records.stream().map(ConsumerRecord::value).toList();
  }

  private static Map<String, Object> clientSettings(EmbeddedBroker broker) {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }
}
