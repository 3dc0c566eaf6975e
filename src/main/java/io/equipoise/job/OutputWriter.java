package io.equipoise.job;

import io.equipoise.job.topics.Emission;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.KafkaWriterState;
import org.apache.flink.connector.kafka.sink.TwoPhaseCommittingStatefulSink.PrecommittingStatefulSinkWriter;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connector's writer, whose close ignores Kafka's errors.
 *
 * <p>The connector aborts the open transaction when it closes. If the brokers do not reply, that
 * fails after {@code max.block.ms}, and Flink ends the whole task manager when a failed task cannot
 * be closed. Nothing depends on the abort: the next start of the job aborts the transaction, or the
 * brokers do after its timeout.
 */
@SuppressWarnings("try") // closing the connector's writer is interruptible
final class OutputWriter
    implements PrecommittingStatefulSinkWriter<Emission, KafkaWriterState, KafkaCommittable> {
  private static final Logger LOG = LoggerFactory.getLogger(OutputWriter.class);

  private final PrecommittingStatefulSinkWriter<Emission, KafkaWriterState, KafkaCommittable> kafka;

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
