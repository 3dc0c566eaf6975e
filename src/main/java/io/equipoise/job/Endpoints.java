package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.event.LogTopic;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.InputSkip;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.registry.Frames;
import io.equipoise.job.topics.Emission;
import io.equipoise.job.topics.TopicSetup;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.TransactionNamingStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Bundles the sources and sinks of one deployment; {@link #of} builds them on Kafka.
 *
 * @param contexts source of contexts
 * @param rewards source of rewards
 * @param specs raw segment specs
 * @param causalBounds raw rows of causal bounds
 * @param outputs sink of all records of the segment function; with exactly-once delivery, one
 *     transaction per checkpoint
 * @param deadLetters sink of inputs that could not be decoded
 */
record Endpoints(
    Source<Decoded, ?, ?> contexts,
    Source<Decoded, ?, ?> rewards,
    KafkaSource<RawControl> specs,
    KafkaSource<RawControl> causalBounds,
    Sink<Emission> outputs,
    Sink<Emission> deadLetters) {

  /** Time between discoveries of new partitions; contexts on a new partition wait this long. */
  private static final String DISCOVERY_INTERVAL_MILLIS = "30000";

  /**
   * How long a record of a transaction waits for others of its batch. It delays no decision: a
   * checkpoint flushes all batches before it commits. A decision with at-least-once delivery never
   * waits, because readers see it as soon as it is appended.
   */
  private static final String TRANSACTION_LINGER_MILLIS = "50";

  /** Some 400 records. Kafka's default holds 50, and each batch costs a part of a request. */
  private static final String BATCH_BYTES = "131072";

  /** Records of a hand-over from a fetcher to its source's task; Kafka's default is 500. */
  private static final String RECORDS_OF_A_POLL = "2000";

  /**
   * How long contexts and rewards wait for others of their fetch with exactly-once delivery. A
   * decision waits for its checkpoint anyway, and a fetch for each few records takes a fifth of the
   * processor time of a job that starts. With at-least-once delivery nothing waits.
   */
  private static final Duration FETCH_PAUSE = Duration.ofMillis(20);

  /** How long a fetch of nothing waits at the broker; a record ends the wait. */
  private static final String IDLE_FETCH_MILLIS = "2000";

  /** Builds the endpoints on Kafka; tests and bounded runs set where the sources end. */
  static Endpoints of(JobConfig config, Clock clock, Bounds bounds) {
    Topics topics = config.topics();
    return new Endpoints(
        input(config, topics.contexts(), LogTopic.CONTEXTS, clock, bounds),
        input(config, topics.rewards(), LogTopic.REWARDS, clock, bounds),
        control(config, topics.specs(), bounds),
        control(config, topics.causalBounds(), bounds),
        sink(config, Topics.OUTPUTS),
        sink(config, Topics.UNDECODABLE));
  }

  /** Names where the sources end. */
  enum Bounds {
    /** The sources never end. */
    NONE,
    /** The sources end at the end offsets of the start; event time ends with them. */
    LATEST_AT_START
  }

  private static Source<Decoded, ?, ?> input(
      JobConfig config, String topic, LogTopic kind, Clock clock, Bounds bounds) {
    InputSchema schema = new InputSchema(kind, config, clock);
    KafkaSource<Decoded> source = source(config, topic, schema, committedOrEarliest(), bounds);
    List<InputSkip> skips =
        config.inputSkips().stream().filter(skip -> skip.topic().equals(topic)).toList();
    Properties reader = consumer(config, topic);
    reader.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, IDLE_FETCH_MILLIS);
    return new InputSource(
        source, schema, reader, InputEnds.start(config, clock), skips, pause(config));
  }

  static Duration pause(JobConfig config) {
    return config.delivery() == Delivery.EXACTLY_ONCE ? FETCH_PAUSE : Duration.ZERO;
  }

  private static KafkaSource<RawControl> control(JobConfig config, String topic, Bounds bounds) {
    return source(
        config,
        topic,
        new RawControlSchema(config.registry().settings()),
        OffsetsInitializer.earliest(),
        bounds);
  }

  private static <T> KafkaSource<T> source(
      JobConfig config,
      String topic,
      KafkaRecordDeserializationSchema<T> schema,
      OffsetsInitializer start,
      Bounds bounds) {
    KafkaSourceBuilder<T> builder =
        KafkaSource.<T>builder()
            .setProperties(consumer(config, topic))
            .setTopics(List.of(topic))
            .setStartingOffsets(start)
            .setDeserializer(schema);
    if (bounds == Bounds.LATEST_AT_START) {
      builder.setBounded(OffsetsInitializer.latest());
    }
    return builder.build();
  }

  static Properties consumer(JobConfig config, String topic) {
    Properties kafka = config.kafka();
    kafka.setProperty("isolation.level", "read_committed");
    kafka.setProperty("group.id", config.topics().consumerGroup());
    kafka.setProperty(KafkaSourceOptions.CLIENT_ID_PREFIX.key(), topic);
    kafka.putIfAbsent("max.poll.records", RECORDS_OF_A_POLL);
    kafka.putIfAbsent(
        KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY_INTERVAL_MILLIS);
    return kafka;
  }

  /** Starts at committed offsets, so that a start without a savepoint does not repeat decisions. */
  @SuppressWarnings("deprecation") // the connector has no other type for it
  private static OffsetsInitializer committedOrEarliest() {
    return OffsetsInitializer.committedOffsets(OffsetResetStrategy.EARLIEST);
  }

  static Properties producer(JobConfig config) {
    Properties kafka = config.kafka();
    kafka.setProperty(
        "transaction.timeout.ms", String.valueOf(config.transactionTimeout().toMillis()));
    kafka.setProperty("max.request.size", String.valueOf(largest(config)));
    boolean isExactlyOnce = config.delivery() == Delivery.EXACTLY_ONCE;
    kafka.putIfAbsent("linger.ms", isExactlyOnce ? TRANSACTION_LINGER_MILLIS : "0");
    kafka.putIfAbsent("batch.size", BATCH_BYTES);
    return kafka;
  }

  /** Returns the maximum bytes of a record: those of a dead letter. */
  private static int largest(JobConfig config) {
    return TopicSetup.maxMessageBytes(config, config.topics().deadLetter());
  }

  private static Sink<Emission> sink(JobConfig config, String uid) {
    Properties kafka = producer(config);
    boolean isExactlyOnce = config.delivery() == Delivery.EXACTLY_ONCE;
    DeadLetterEncryption seal = new DeadLetterEncryption(config.privacy());
    RecordSizeLimit fit =
        new RecordSizeLimit(config.maxRecordBytes(), largest(config) - seal.mostAddedBytes());
    String prefix = config.topics().transactionalIdPrefix(uid);
    return new OutputSink(
        KafkaSink.<Emission>builder()
            .setKafkaProducerConfig(kafka)
            .setBootstrapServers(kafka.getProperty("bootstrap.servers"))
            .setDeliveryGuarantee(
                isExactlyOnce ? DeliveryGuarantee.EXACTLY_ONCE : DeliveryGuarantee.AT_LEAST_ONCE)
            .setTransactionalIdPrefix(prefix)
            .setTransactionNamingStrategy(TransactionNamingStrategy.INCREMENTING)
            .setRecordSerializer(new EmissionSchema(config.topics(), Frames.ids(config), fit, seal))
            .build(),
        prefix);
  }

  /** Returns records of a control topic without decoding them, in single-object encoding. */
  private static final class RawControlSchema
      implements KafkaRecordDeserializationSchema<RawControl> {
    private static final long serialVersionUID = 1L;

    private final Map<String, String> registry;
    private transient @Nullable WriterSchemas writers;

    RawControlSchema(Map<String, String> registry) {
      this.registry = registry;
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawControl> out) {
      if (writers == null) {
        writers = Frames.schemas(registry);
      }
      out.collect(
          new RawControl(
              record.topic(),
              record.partition(),
              record.offset(),
              record.timestamp(),
              record.key(),
              Frames.singleObject(writers, record.topic(), record.value())));
    }

    @Override
    public TypeInformation<RawControl> getProducedType() {
      return StreamTypes.RAW_CONTROL;
    }
  }
}
