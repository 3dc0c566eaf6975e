package io.equipoise.job;

import io.equipoise.event.Decoded;
import io.equipoise.job.InputSplitReader.ProgressMark;
import io.equipoise.job.InputSplitReader.ReaderMetrics;
import io.equipoise.job.options.InputSkip;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
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
import org.apache.flink.connector.kafka.source.reader.KafkaRecordEmitter;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Adapts a {@link KafkaSource}: it spreads the partitions over the readers at every start, see
 * {@link InputEnumerator}, and its readers report their progress, see {@link InputSplitReader}, and
 * skip offsets. Its state is that of {@code KafkaSource}.
 */
final class InputSource
    implements Source<Decoded, KafkaPartitionSplit, KafkaSourceEnumState>,
        SupportsSplitReassignmentOnRecovery,
        ResultTypeQueryable<Decoded>,
        LineageVertexProvider {
  private static final long serialVersionUID = 1L;

  private final KafkaSource<Decoded> source;
  private final KafkaRecordDeserializationSchema<Decoded> schema;
  private final Properties kafka = new Properties();
  private final InputEnds.Start ends;
  private final List<InputSkip> skips;
  private final Duration pause;

  /**
   * Wraps a source.
   *
   * @param schema the schema of the source; it must recognize skipped offsets, whose records have
   *     no key and no value
   * @param kafka the settings of the source
   * @param skips the offsets that readers skip; readers that skip do not pause
   * @param pause see {@link InputSplitReader}
   */
  InputSource(
      KafkaSource<Decoded> source,
      KafkaRecordDeserializationSchema<Decoded> schema,
      Properties kafka,
      InputEnds.Start ends,
      List<InputSkip> skips,
      Duration pause) {
    this.source = source;
    this.schema = schema;
    this.ends = ends;
    this.skips = List.copyOf(skips);
    this.pause = pause;
    this.kafka.putAll(kafka);
    String bytes = ByteArrayDeserializer.class.getName();
    this.kafka.setProperty(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, bytes);
    this.kafka.setProperty(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, bytes);
    this.kafka.setProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    this.kafka.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    if (!skips.isEmpty()) {
      this.kafka.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, InputSkip.ONE_RECORD_A_POLL);
    }
  }

  @Override
  public LineageVertex getLineageVertex() {
    return source.getLineageVertex();
  }

  @Override
  public SourceReader<Decoded, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> fetched =
        new FutureCompletingBlockingQueue<>();
    schema.open(new Opening(context));
    ReaderMetrics metrics = new ReaderMetrics(context.metricGroup());
    Configuration settings = new Configuration();
    kafka.stringPropertyNames().forEach(key -> settings.setString(key, kafka.getProperty(key)));
    return new KafkaSourceReader<>(
        fetched,
        new KafkaSourceFetcherManager(
            fetched,
            () ->
                skips.isEmpty()
                    ? new InputSplitReader(kafka, context, metrics, ends, pause)
                    : new SkippingSplitReader(kafka, context, metrics, ends, skips),
            finished -> {}),
        new Emitter(schema),
        settings,
        context,
        metrics);
  }

  /** Emits progress without a change of the offset that the next checkpoint stores. */
  private static final class Emitter extends KafkaRecordEmitter<Decoded> {
    Emitter(KafkaRecordDeserializationSchema<Decoded> schema) {
      super(schema);
    }

    @Override
    public void emitRecord(
        ConsumerRecord<byte[], byte[]> record,
        SourceOutput<Decoded> output,
        KafkaPartitionSplitState split)
        throws Exception {
      if (record instanceof ProgressMark mark) {
        output.collect(
            new Decoded.Progress(
                mark.topic(), mark.partition(), mark.newestAppendTime, mark.askedAt));
      } else {
        super.emitRecord(record, output, split);
      }
    }
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
  public TypeInformation<Decoded> getProducedType() {
    return source.getProducedType();
  }
}
