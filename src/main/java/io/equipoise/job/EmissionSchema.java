package io.equipoise.job;

import io.equipoise.event.ErrorCode;
import io.equipoise.event.LogTopic;
import io.equipoise.event.TraceParent;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.Topics;
import io.equipoise.job.registry.Frames;
import io.equipoise.job.topics.Emission;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetIdentifier;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacetProvider;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends each emission to its topic; Kafka's hash of the key selects the partition. */
final class EmissionSchema
    implements KafkaRecordSerializationSchema<Emission>, KafkaDatasetFacetProvider {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(EmissionSchema.class);

  private final EnumMap<LogTopic, String> topics = new EnumMap<>(LogTopic.class);

  private final Map<String, Integer> ids;
  private final RecordSizeLimit fit;
  private final DeadLetterEncryption seal;
  private transient @Nullable Counter oversized;

  /**
   * Creates the schema of a deployment's outputs.
   *
   * @param ids of the topics in Confluent's format
   */
  EmissionSchema(
      Topics names, Map<String, Integer> ids, RecordSizeLimit fit, DeadLetterEncryption seal) {
    this.ids = Map.copyOf(ids);
    this.fit = fit;
    this.seal = seal;
    for (LogTopic output : LogTopic.OUTPUTS) {
      topics.put(output, names.of(output));
    }
  }

  /** Names all topics that records may go to, for the lineage graph. */
  @Override
  public Optional<KafkaDatasetFacet> getKafkaDatasetFacet() {
    List<String> names = List.copyOf(topics.values());
    return Optional.of(new DefaultKafkaDatasetFacet(DefaultKafkaDatasetIdentifier.ofTopics(names)));
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    seal.open();
    oversized =
        JobMetric.DEAD_LETTER_RECORDS.counter(
            context.getMetricGroup(), ErrorCode.OUTPUT_OVERSIZED.name());
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Emission given, KafkaSinkContext context, @Nullable Long timestamp) {
    if (given.output() == LogTopic.DEAD_LETTER) {
      return record(seal.seal(fit.fit(given)));
    }
    byte[] value = given.value();
    String topic = topics.get(given.output());
    if (fit.isFitting(given.key(), value)) {
      ProducerRecord<byte[], byte[]> record = record(topic, given.key(), value);
      String traceParent = given.traceParent();
      if (traceParent != null) {
        record.headers().add(TraceParent.HEADER, traceParent.getBytes(StandardCharsets.US_ASCII));
      }
      return record;
    }
    if (oversized != null) {
      oversized.inc();
    }
    LOG.error(
        "A record of {} has {} bytes; {} allows fewer. It was written as a dead letter and is"
            + " missing from the log. Raise the option.",
        topic,
        value.length,
        JobOptions.MAX_RECORD_BYTES.key());
    return record(seal.seal(fit.ofOversized(given.output(), topic, given.key(), value)));
  }

  private ProducerRecord<byte[], byte[]> record(Emission deadLetter) {
    return record(topics.get(deadLetter.output()), deadLetter.key(), deadLetter.value());
  }

  private ProducerRecord<byte[], byte[]> record(
      String topic, byte @Nullable [] key, byte @Nullable [] value) {
    return new ProducerRecord<>(topic, key, Frames.framed(ids, topic, value));
  }
}
