package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.equipoise.event.LogTopic;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Emission;
import io.equipoise.tools.EmbeddedBroker;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.sink.KafkaCommittable;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperatorFactory;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Writers whose brokers have gone. */
@SuppressWarnings("try") // closing a harness is interruptible
class OutputWriterTest {
  private static final TopicPartition DECISIONS = new TopicPartition("silent-writer.decisions", 0);

  /** An error while a failed task closes would end its task manager. */
  @Test
  void aWriterClosesWithoutAnErrorWhenTheBrokersDoNotReply() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      OneInputStreamOperatorTestHarness<Emission, CommittableMessage<KafkaCommittable>> writer =
          writer(config(broker));
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
        admin.createTopics(List.of(new NewTopic(DECISIONS.topic(), 1, (short) 1))).all().get();
        writer.open();
        writer.processElement(new Emission(LogTopic.DECISIONS, null, new byte[1]), 0);
        awaitRecord(admin);
      }
      broker.close();
      assertDoesNotThrow(writer::close);
    }
  }

  private static void awaitRecord(Admin admin) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (admin
            .listOffsets(Map.of(DECISIONS, OffsetSpec.latest()))
            .all()
            .get()
            .get(DECISIONS)
            .offset()
        == 0) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the record is not on " + DECISIONS);
      }
    }
  }

  private static JobConfig config(EmbeddedBroker broker) {
    return JobConfig.from(
        Configuration.fromMap(
            Map.of(
                "equipoise.deployment", "silent-writer",
                "kafka.bootstrap.servers", broker.bootstrapServers(),
                "kafka.max.block.ms", "3000")));
  }

  private static OneInputStreamOperatorTestHarness<Emission, CommittableMessage<KafkaCommittable>>
      writer(JobConfig config) throws Exception {
    return new OneInputStreamOperatorTestHarness<>(
        new SinkWriterOperatorFactory<>(
            Endpoints.of(config, Clock.systemUTC(), Endpoints.Bounds.NONE).outputs()),
        128,
        1,
        0);
  }
}
