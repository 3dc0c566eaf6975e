package io.equipoise.job;

import io.equipoise.job.options.InputSkip;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaRecordEmitter;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A {@link KafkaSource} that spreads its partitions over its readers at every start, see {@link
 * InputEnumerator}, and whose readers skip offsets. Its state is that of {@code KafkaSource}.
 */
final class InputSource<T>
    implements Source<T, KafkaPartitionSplit, KafkaSourceEnumState>,
        SupportsSplitReassignmentOnRecovery,
        ResultTypeQueryable<T> {
  private static final long serialVersionUID = 1L;

  private final KafkaSource<T> source;
  private final KafkaRecordDeserializationSchema<T> schema;
  private final Properties kafka = new Properties();
  private final List<InputSkip> skips;

  /**
   * Wraps a source.
   *
   * @param schema the schema of the source; it must recognize skipped offsets, whose records have
   *     no key and no value
   * @param kafka the settings of the source
   * @param skips the offsets that readers skip
   */
  InputSource(
      KafkaSource<T> source,
      KafkaRecordDeserializationSchema<T> schema,
      Properties kafka,
      List<InputSkip> skips) {
    this.source = source;
    this.schema = schema;
    this.skips = List.copyOf(skips);
    this.kafka.putAll(kafka);
    String bytes = ByteArrayDeserializer.class.getName();
    this.kafka.setProperty(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, bytes);
    this.kafka.setProperty(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, bytes);
    this.kafka.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    this.kafka.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    this.kafka.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, InputSkip.ONE_RECORD_A_POLL);
  }

  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    if (skips.isEmpty()) {
      return source.createReader(context);
    }
    FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> fetched =
        new FutureCompletingBlockingQueue<>();
    schema.open(new Opening(context));
    KafkaSourceReaderMetrics metrics = new KafkaSourceReaderMetrics(context.metricGroup());
    Configuration settings = new Configuration();
    kafka.stringPropertyNames().forEach(key -> settings.setString(key, kafka.getProperty(key)));
    return new KafkaSourceReader<>(
        fetched,
        new KafkaSourceFetcherManager(
            fetched, () -> new SkippingSplitReader(kafka, context, metrics, skips), finished -> {}),
        new KafkaRecordEmitter<>(schema),
        settings,
        context,
        metrics);
  }

  private record Opening(SourceReaderContext context)
      implements DeserializationSchema.InitializationContext {
    @Override
    public MetricGroup getMetricGroup() {
      return context.metricGroup().addGroup("deserializer");
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return context.getUserCodeClassLoader();
    }
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return new InputEnumerator(source.createEnumerator(context), context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws Exception {
    return new InputEnumerator(source.restoreEnumerator(context, state), context);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return source.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return source.getProducedType();
  }
}
