package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.Committer.CommitRequest;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.connector.kafka.sink.internal.FlinkKafkaInternalProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OutputCommitterTest {
  private final List<String> signals = new ArrayList<>();

  @Test
  void aRestoredTransactionThatHasEndedStopsNoStart() throws Exception {
    KafkaCommittable restored = new KafkaCommittable(1, (short) 0, "shop.job.outputs-0-7", null);
    commit(restored, it -> it.signalFailedWithKnownReason(new InvalidTxnStateException("ended")));
    commit(
        restored,
        it -> it.signalFailedWithUnknownReason(new InvalidPidMappingException("forgotten")));
    commit(
        restored,
        it ->
            it.signalFailedWithUnknownReason(
                new KafkaException("error state", new InvalidPidMappingException("forgotten"))));
    commit(restored, it -> it.signalFailedWithUnknownReason(new TimeoutException("broken")));
    assertEquals(List.of("known", "known", "known", "unknown"), signals);
  }

  @Test
  void aTransactionOfThisTaskThatHasEndedFailsTheTask() {
    Properties kafka = new Properties();
    kafka.setProperty("bootstrap.servers", "127.0.0.1:1");
    kafka.setProperty(
        "key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
    kafka.setProperty(
        "value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
    try (var producer = new FlinkKafkaInternalProducer<byte[], byte[]>(kafka, "id")) {
      KafkaCommittable own = new KafkaCommittable(1, (short) 0, "shop.job.outputs-0-7", producer);
      assertThrows(
          IllegalStateException.class,
          () ->
              commit(
                  own,
                  it -> it.signalFailedWithKnownReason(new InvalidTxnStateException("ended"))));
    }
    assertEquals(List.of(), signals);
  }

  @Test
  void theTransactionOfAnotherDeploymentIsNotCommitted() {
    KafkaCommittable foreign = new KafkaCommittable(1, (short) 0, "other.job.outputs-0-7", null);
    assertThrows(
        IllegalArgumentException.class,
        () -> commit(foreign, CommitRequest::signalAlreadyCommitted));
    assertEquals(List.of(), signals);
  }

  @SuppressWarnings("try") // closing the connector's committer is interruptible
  private void commit(
      KafkaCommittable committable, Consumer<CommitRequest<KafkaCommittable>> connector)
      throws Exception {
    Consumer<String> owner =
        id -> {
          if (!id.startsWith("shop.")) {
            throw new IllegalArgumentException(id);
          }
        };
    Committer<KafkaCommittable> kafka =
        new Committer<>() {
          @Override
          public void commit(Collection<CommitRequest<KafkaCommittable>> requests) {
            requests.forEach(connector);
          }

          @Override
          public void close() {}
        };
    new OutputCommitter(kafka, owner).commit(List.of(new Request(committable)));
  }

  private final class Request implements CommitRequest<KafkaCommittable> {
    private final KafkaCommittable committable;

    Request(KafkaCommittable committable) {
      this.committable = committable;
    }

    @Override
    public KafkaCommittable getCommittable() {
      return committable;
    }

    @Override
    public int getNumberOfRetries() {
      return 0;
    }

    @Override
    public void signalFailedWithKnownReason(@Nullable Throwable reason) {
      signals.add("known");
    }

    @Override
    public void signalFailedWithUnknownReason(@Nullable Throwable reason) {
      signals.add("unknown");
    }

    @Override
    public void retryLater() {
      signals.add("retry");
    }

    @Override
    public void updateAndRetryLater(KafkaCommittable changed) {
      signals.add("retry");
    }

    @Override
    public void signalAlreadyCommitted() {
      signals.add("already");
    }
  }
}
