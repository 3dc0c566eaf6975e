package io.equipoise.job.control;

import io.equipoise.event.WatchRecord;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.topics.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes the topic {@code watch}; no other code writes there.
 *
 * <p>Registrations are written in a transaction, because they spend a segment's alpha: a second
 * command fences the first one before it reads the ledger, so that no two take the same number, and
 * a batch is registered as a whole. Evidence needs no transaction: it is a function of the log, and
 * a repeated record has equal bytes.
 */
public final class WatchPublisher implements AutoCloseable {
  private final String topic;
  private final Producer<byte[], byte[]> producer;

  public WatchPublisher(JobConfig config) {
    this(config, Map.of());
  }

  /** Takes a producer, which it closes. */
  public WatchPublisher(String topic, Producer<byte[], byte[]> producer) {
    this.topic = topic;
    this.producer = producer;
  }

  private WatchPublisher(JobConfig config, Map<String, String> more) {
    Properties settings = config.kafka();
    settings.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    settings.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.putAll(more);
    topic = config.topics().watch();
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Creates the topic unless it exists; the ACL Create is needed only if it does not. */
  public static void create(Admin admin, JobConfig config) throws InterruptedException {
    String topic = config.topics().watch();
    try {
      if (!admin.listTopics().names().get().contains(topic)) {
        admin.createTopics(List.of(TopicSetup.watch(config))).all().get();
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw failed(topic, e.getCause());
      }
    }
  }

  /**
   * Registers the records that a rule derives from the ledger, all of them or none.
   *
   * @throws StartRefusedException if the brokers refuse a record, or another command registers at
   *     the same time
   */
  public static List<WatchRecord> register(
      JobConfig config, Function<WatchLedger, List<WatchRecord>> rule) throws InterruptedException {
    String topic = config.topics().watch();
    try (WatchPublisher publisher =
        new WatchPublisher(config, Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic))) {
      publisher.producer.initTransactions(); // ends the transaction of any command before
      List<WatchRecord> records = rule.apply(WatchLedger.read(config));
      publisher.producer.beginTransaction();
      publisher.write(records);
      publisher.producer.commitTransaction();
      return records;
    } catch (ProducerFencedException | InvalidProducerEpochException e) {
      throw failed(topic, e);
    }
  }

  /**
   * Writes records and waits until they are committed.
   *
   * @throws StartRefusedException if the brokers refuse one
   * @throws TimeoutException if they do not reply
   */
  public void write(List<WatchRecord> records) throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (WatchRecord record : records) {
      byte[] key = record.segment().getBytes(StandardCharsets.UTF_8);
      sent.add(producer.send(new ProducerRecord<>(topic, 0, key, Wire.WATCH.encode(record))));
    }
    try {
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw failed(topic, e.getCause());
    }
  }

  private static RuntimeException failed(String topic, Throwable why) {
    return why instanceof TimeoutException silent
        ? silent
        : new StartRefusedException(
            "The topic of challengers and group monitors cannot be written",
            List.of("topic %s: %s; allow Write, or try again".formatted(topic, why.getMessage())));
  }

  @Override
  public void close() {
    producer.close();
  }
}
