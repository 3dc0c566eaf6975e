package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.InputSplitReader.ProgressMark;
import io.equipoise.job.InputSplitReader.ReaderMetrics;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.TopicSetup;
import io.equipoise.tools.EmbeddedBroker;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two partitions of contexts on a broker; rewards only move the newest append time. */
class InputSplitReaderTest {
  private static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

  private final List<ConsumerRecord<byte[], byte[]>> fetched = new ArrayList<>();

  /** Each record that a mark follows was appended before its time, or the proof of time fails. */
  @Test
  void aPartitionIsMarkedWhenItIsReadToItsEndAndNotBeforeAnOpenTransaction() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        KafkaProducer<byte[], byte[]> plain = producer(broker, null);
        KafkaProducer<byte[], byte[]> transactional = producer(broker, "t")) {
      JobConfig config = config(broker);
      try (Admin admin = Admin.create(config.kafka())) {
        new TopicSetup(admin, config).prepare();
      }
      InputSplitReader reader = reader(config, Duration.ZERO);
      try {
        reader.handleSplitsChanges(new SplitsAddition<>(List.of(split(0), split(1))));
        fetchUntil(reader, () -> fetched.size() >= 2);
        assertEquals(0, mark(0).askedAt, "the mark of the assignment");
        assertEquals(0, mark(1).askedAt, "the mark of the assignment");

        long busy = send(plain, "shop.contexts", 0);
        fetchUntil(reader, () -> isPast(0, busy) && isPast(1, busy));
        assertEquals(1, records(0), "before the mark of its append time");

        transactional.initTransactions();
        transactional.beginTransaction();
        send(transactional, "shop.contexts", 1);
        long later = send(plain, "shop.rewards", 0);
        fetchUntil(reader, () -> isPast(0, later));
        long afterwards = send(plain, "shop.rewards", 0);
        fetchUntil(reader, () -> isPast(0, afterwards));
        assertFalse(isPast(1, later), "its end is behind the open transaction");
        transactional.commitTransaction();
        fetchUntil(reader, () -> isPast(1, later));
        assertEquals(1, records(1), "before the mark of a later append time");

        transactional.beginTransaction();
        send(transactional, "shop.contexts", 1);
        transactional.abortTransaction();
        long last = send(plain, "shop.rewards", 0);
        fetchUntil(reader, () -> isPast(1, last));
        assertEquals(1, records(1), "no record follows the aborted one, and the position does");
      } finally {
        reader.close();
      }
    }
  }

  @Test
  void recordsWaitForOthersOfTheirFetch() throws Exception {
    Duration pause = Duration.ofMillis(100);
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        KafkaProducer<byte[], byte[]> producer = producer(broker, null)) {
      JobConfig config = config(broker);
      try (Admin admin = Admin.create(config.kafka())) {
        new TopicSetup(admin, config).prepare();
      }
      InputSplitReader reader = reader(config, pause);
      try {
        reader.handleSplitsChanges(new SplitsAddition<>(List.of(split(0))));
        fetchUntil(reader, () -> !fetched.isEmpty());
        long begun = System.nanoTime();
        int fetches = 0;
        CompletableFuture<Void> sent =
            CompletableFuture.runAsync(
                () -> IntStream.range(0, 100).forEach(it -> send(producer, "shop.contexts", 0)));
        while (records(0) < 100) {
          int before = fetched.size();
          fetchUntil(reader, () -> fetched.size() > before);
          fetches += fetched.get(before) instanceof ProgressMark ? 0 : 1;
        }
        long nanos = System.nanoTime() - begun;
        sent.join();
        assertTrue(fetches <= 2 + nanos / pause.toNanos(), fetches + " fetches in " + nanos);
      } finally {
        reader.close();
      }
    }
  }

  /** An idle job shall sleep; an append is noticed all the same. */
  @Test
  void whileNothingIsAppendedTheBrokersAreAskedMoreRarely() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        KafkaProducer<byte[], byte[]> producer = producer(broker, null)) {
      JobConfig config = config(broker);
      try (Admin admin = Admin.create(config.kafka())) {
        new TopicSetup(admin, config).prepare();
      }
      InputSplitReader reader = reader(config, Duration.ZERO);
      try {
        reader.handleSplitsChanges(new SplitsAddition<>(List.of(split(0))));
        fetchUntil(reader, () -> longestPause() >= 3_900);
        long appended = send(producer, "shop.rewards", 0);
        fetchUntil(reader, () -> isPast(0, appended));
      } finally {
        reader.close();
      }
    }
  }

  @Test
  void closingDoesNotWaitForAFetchOfNothing() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      JobConfig config = config(broker);
      try (Admin admin = Admin.create(config.kafka())) {
        new TopicSetup(admin, config).prepare();
      }
      Properties kafka = Endpoints.consumer(config, "shop.contexts");
      kafka.setProperty(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "120000");
      InputSplitReader reader = reader(config, kafka, Duration.ZERO);
      reader.handleSplitsChanges(new SplitsAddition<>(List.of(split(0))));
      fetchUntil(reader, () -> fetched.size() >= 2);
      long begun = System.nanoTime();
      reader.close();
      assertTrue(
          System.nanoTime() - begun < Duration.ofSeconds(20).toNanos(),
          "Kafka's consumer waits for 30 s");
    }
  }

  /** Returns the longest time between two questions whose answers were marked, in ms. */
  private long longestPause() {
    long[] asked =
        fetched.stream()
            .filter(ProgressMark.class::isInstance)
            .mapToLong(it -> ((ProgressMark) it).askedAt)
            .filter(it -> it > 0)
            .sorted()
            .toArray();
    return IntStream.range(1, asked.length)
        .mapToLong(it -> asked[it] - asked[it - 1])
        .max()
        .orElse(0);
  }

  private void fetchUntil(InputSplitReader reader, BooleanSupplier isEnough) throws Exception {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!isEnough.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, fetched::toString);
      RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> records = reader.fetch();
      while (records.nextSplit() != null) {
        for (ConsumerRecord<byte[], byte[]> record = records.nextRecordFromSplit();
            record != null;
            record = records.nextRecordFromSplit()) {
          fetched.add(record);
        }
      }
    }
  }

  private long records(int partition) {
    return fetched.stream()
        .filter(it -> it.partition() == partition && !(it instanceof ProgressMark))
        .count();
  }

  private ProgressMark mark(int partition) {
    return fetched.stream()
        .filter(it -> it.partition() == partition)
        .filter(ProgressMark.class::isInstance)
        .map(ProgressMark.class::cast)
        .reduce((before, last) -> last)
        .orElseThrow();
  }

  private boolean isPast(int partition, long time) {
    return mark(partition).newestAppendTime >= time;
  }

  /** Returns the append time. */
  private static long send(KafkaProducer<byte[], byte[]> producer, String topic, int partition) {
    try {
      return producer
          .send(new ProducerRecord<>(topic, partition, new byte[] {1}, new byte[] {1}))
          .get()
          .timestamp();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static KafkaPartitionSplit split(int partition) {
    return new KafkaPartitionSplit(
        new TopicPartition("shop.contexts", partition), KafkaPartitionSplit.EARLIEST_OFFSET);
  }

  private static JobConfig config(EmbeddedBroker broker) {
    return JobConfig.from(
        Configuration.fromMap(
            Map.of(
                "equipoise.deployment", "shop",
                "equipoise.partitions", "2",
                "kafka.bootstrap.servers", broker.bootstrapServers())));
  }

  private static KafkaProducer<byte[], byte[]> producer(
      EmbeddedBroker broker, @Nullable String transactionalId) {
    Properties settings = new Properties();
    settings.setProperty("bootstrap.servers", broker.bootstrapServers());
    if (transactionalId != null) {
      settings.setProperty("transactional.id", transactionalId);
    }
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static InputSplitReader reader(JobConfig config, Duration pause) {
    return reader(config, Endpoints.consumer(config, "shop.contexts"), pause);
  }

  private static InputSplitReader reader(JobConfig config, Properties kafka, Duration pause) {
    kafka.setProperty("key.deserializer", ByteArrayDeserializer.class.getName());
    kafka.setProperty("value.deserializer", ByteArrayDeserializer.class.getName());
    kafka.setProperty("enable.auto.commit", "false");
    SourceReaderMetricGroup metrics = UnregisteredMetricsGroup.createSourceReaderMetricGroup();
    return new InputSplitReader(
        kafka,
        new FirstSubtask(metrics),
        new ReaderMetrics(metrics),
        InputEnds.start(config, Clock.systemUTC()),
        pause);
  }

  private record FirstSubtask(SourceReaderMetricGroup metricGroup) implements SourceReaderContext {
    @Override
    public Configuration getConfiguration() {
      return new Configuration();
    }

    @Override
    public String getLocalHostName() {
      return "localhost";
    }

    @Override
    public int getIndexOfSubtask() {
      return 0;
    }

    @Override
    public void sendSplitRequest() {}

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {}

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      throw new UnsupportedOperationException("no user code");
    }
  }
}
