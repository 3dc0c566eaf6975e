package io.equipoise.job.control;

import io.equipoise.event.WatchRecord;
import io.equipoise.event.Wire;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.topics.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the topic {@code watch}; no other code writes there.
 *
 * <p>Registrations are written in a transaction, because they spend a segment's alpha: a second
 * command fences the first one before it reads the ledger, so that no two take the same number, and
 * a batch is registered as a whole. The first one tries again. Evidence needs no transaction: it is
 * a function of the log, and a repeated record has equal bytes.
 */
public final class WatchPublisher implements AutoCloseable {
  private static final int MOST_ATTEMPTS = 5;

  /** Longer than a registration takes, so that the command that fenced this one can end. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String topic;
  private final Producer<byte[], byte[]> producer;

  /** Opens a writer of evidence, ends and promotions. */
  public WatchPublisher(JobConfig config) {
    this(config.topics().watch(), producer(config, null));
  }

  /** Takes a producer, which it closes. */
  public WatchPublisher(String topic, Producer<byte[], byte[]> producer) {
    this.topic = topic;
    this.producer = producer;
  }

  private static Producer<byte[], byte[]> producer(
      JobConfig config, @Nullable String transactionalId) {
    Properties settings = config.kafka();
    settings.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    settings.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    if (transactionalId != null) {
      settings.setProperty(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    }
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Creates the topic unless it exists; the ACL Create is needed only if it does not. */
  public static void create(Admin admin, JobConfig config) throws InterruptedException {
    String topic = config.topics().watch();
    try {
      var unused = admin.describeTopics(List.of(topic)).allTopicNames().get();
      return;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw failed(topic, e);
      }
    }
    try {
      admin.createTopics(List.of(TopicSetup.watch(config))).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw failed(topic, e);
      }
    }
  }

  /**
   * Registers the records that a rule derives from the ledger, all of them or none. A command that
   * another one has fenced waits, and applies the rule again.
   *
   * @throws StartRefusedException if the brokers refuse a record, or other commands register at the
   *     same time again and again
   */
  public static List<WatchRecord> register(
      JobConfig config, Function<WatchLedger, List<WatchRecord>> rule) throws InterruptedException {
    String topic = config.topics().watch();
    for (int attempt = 1; ; attempt++) {
      try (WatchPublisher publisher = new WatchPublisher(topic, producer(config, topic))) {
        publisher.producer.initTransactions(); // ends the transaction of any command before
        List<WatchRecord> records = rule.apply(WatchLedger.read(config));
        publisher.producer.beginTransaction();
        publisher.send(records);
        publisher.producer.commitTransaction();
        return records;
      } catch (ExecutionException | KafkaException e) {
        boolean isFenced = isFenced(e);
        if (!isFenced && e instanceof KafkaException other) {
          throw other;
        }
        if (!isFenced || attempt == MOST_ATTEMPTS) {
          throw failed(topic, e);
        }
      }
      Thread.sleep(attempt * PAUSE.toMillis());
    }
  }

  private static boolean isFenced(Exception failure) {
    boolean isFenced = false;
    for (Throwable it = failure; it != null; it = it.getCause()) {
      isFenced |= it instanceof ProducerFencedException;
      isFenced |= it instanceof InvalidProducerEpochException;
    }
    return isFenced;
  }

  /**
   * Writes records and waits until they are committed.
   *
   * @throws StartRefusedException if the brokers refuse one
   */
  public void write(List<WatchRecord> records) throws InterruptedException {
    try {
      send(records);
    } catch (ExecutionException e) {
      throw failed(topic, e);
    }
  }

  private void send(List<WatchRecord> records) throws InterruptedException, ExecutionException {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    for (WatchRecord record : records) {
      byte[] key = record.segment().getBytes(StandardCharsets.UTF_8);
      sent.add(producer.send(new ProducerRecord<>(topic, 0, key, Wire.WATCH.encode(record))));
    }
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
  }

  private static StartRefusedException failed(String topic, Exception failure) {
    Throwable why = failure.getCause() == null ? failure : failure.getCause();
    return new StartRefusedException(
        "The topic of challengers and group monitors cannot be written",
        List.of("topic %s: %s; allow Write, or try again".formatted(topic, why.getMessage())));
  }

  @Override
  public void close() {
    producer.close();
  }
}
