package io.equipoise.job;

import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.topics.Emission;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.TwoPhaseCommittingStatefulSink.PrecommittingStatefulSinkWriter;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapts the connector's sink with two rules for earlier transactions. It never touches those of
 * another deployment, and those that the brokers have ended do not prevent a start. Closing a
 * writer never fails on Kafka, see {@link OutputWriter}. The state is the connector's.
 */
final class OutputSink
    implements Sink<Emission>,
        SupportsWriterState<Emission, KafkaWriterState>,
        SupportsCommitter<KafkaCommittable>,
        SupportsPostCommitTopology<KafkaCommittable>,
        LineageVertexProvider {
  private static final long serialVersionUID = 1L;

  private final KafkaSink<Emission> kafka;
  private final String transactionalIdPrefix;

  /**
   * Wraps a sink.
   *
   * @param transactionalIdPrefix prefix of its transactional ids
   */
  OutputSink(KafkaSink<Emission> kafka, String transactionalIdPrefix) {
    this.kafka = kafka;
    this.transactionalIdPrefix = transactionalIdPrefix;
  }

  @Override
  public SinkWriter<Emission> createWriter(WriterInitContext context) throws IOException {
    return new OutputWriter(kafka.createWriter(context));
  }

  /**
   * {@inheritDoc}
   *
   * <p>The connector's writer aborts open transactions of each prefix in the state. A foreign
   * prefix is rejected before the writer exists.
   */
  @Override
  public StatefulSinkWriter<Emission, KafkaWriterState> restoreWriter(
      WriterInitContext context, Collection<KafkaWriterState> restored) throws IOException {
    for (KafkaWriterState state : restored) {
      if (!state.getTransactionalIdPrefix().equals(transactionalIdPrefix)) {
        throw foreign(state.getTransactionalIdPrefix());
      }
    }
    return new OutputWriter(kafka.restoreWriter(context, restored));
  }

  @Override
  public Committer<KafkaCommittable> createCommitter(CommitterInitContext context)
      throws IOException {
    return new OutputCommitter(kafka.createCommitter(context), this::refuseForeign);
  }

  private void refuseForeign(String transactionalId) {
    if (!transactionalId.startsWith(transactionalIdPrefix + "-")) {
      throw foreign(transactionalId);
    }
  }

  private StartRefusedException foreign(String found) {
    return new StartRefusedException(
        "The start is refused",
        List.of(
            "the restored state has the transactions %s of another deployment, which may still run; transactional ids of this one begin with %s; set equipoise.deployment to the deployment that wrote the state, or start without that state"
                .formatted(found, transactionalIdPrefix)));
  }

  @Override
  public LineageVertex getLineageVertex() {
    return kafka.getLineageVertex();
  }

  @Override
  public SimpleVersionedSerializer<KafkaWriterState> getWriterStateSerializer() {
    return kafka.getWriterStateSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaCommittable> getCommittableSerializer() {
    return kafka.getCommittableSerializer();
  }

  @Override
  public void addPostCommitTopology(DataStream<CommittableMessage<KafkaCommittable>> committables) {
    kafka.addPostCommitTopology(committables);
  }

  /**
   * Wraps the connector's writer and ignores Kafka's errors when it closes.
   *
   * <p>The connector aborts the open transaction when it closes. If the brokers do not reply, that
   * fails after {@code max.block.ms}, and Flink ends the whole task manager when a failed task
   * cannot be closed. Nothing depends on the abort: the next start of the job aborts the
   * transaction, or the brokers do after its timeout.
   */
  @SuppressWarnings("try") // closing the connector's writer is interruptible
  private static final class OutputWriter
      implements PrecommittingStatefulSinkWriter<Emission, KafkaWriterState, KafkaCommittable> {
    private static final Logger LOG = LoggerFactory.getLogger(OutputWriter.class);

    private final PrecommittingStatefulSinkWriter<Emission, KafkaWriterState, KafkaCommittable>
        kafka;

    OutputWriter(
        PrecommittingStatefulSinkWriter<Emission, KafkaWriterState, KafkaCommittable> kafka) {
      this.kafka = kafka;
    }

    @Override
    public void write(Emission emission, Context context) throws IOException, InterruptedException {
      kafka.write(emission, context);
    }

    @Override
    public void flush(boolean isEndOfInput) throws IOException, InterruptedException {
      kafka.flush(isEndOfInput);
    }

    @Override
    public void writeWatermark(Watermark watermark) throws IOException, InterruptedException {
      kafka.writeWatermark(watermark);
    }

    @Override
    public Collection<KafkaCommittable> prepareCommit() throws IOException, InterruptedException {
      return kafka.prepareCommit();
    }

    @Override
    public List<KafkaWriterState> snapshotState(long checkpoint) throws IOException {
      return kafka.snapshotState(checkpoint);
    }

    @Override
    public void close() throws Exception {
      try {
        kafka.close();
      } catch (Exception e) { // the connector declares no subclass
        KafkaException cause =
            ExceptionUtils.findThrowable(e, KafkaException.class).orElseThrow(() -> e);
        LOG.warn(
            "A writer was closed without a reply of the brokers ({}). The next start or the brokers"
                + " abort its transaction",
            cause.toString());
      }
    }
  }
}
