package io.equipoise.job;

import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.topics.Emission;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
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
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPostCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;

/**
 * The connector's sink with two additional rules for earlier transactions. It never touches those
 * of another deployment, and those that the brokers have ended do not prevent a start. Closing a
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
}
