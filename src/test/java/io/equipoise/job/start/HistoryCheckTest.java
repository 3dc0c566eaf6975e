package io.equipoise.job.start;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.Invariant;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.job.StableAnswersTest;
import io.equipoise.job.TestCluster;
import io.equipoise.job.TestDeployment;
import io.equipoise.job.options.AdminCall;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A deployment does not forget its past unless it is told to. */
@Order(1)
class HistoryCheckTest {
  private static final String BEGIN_ANEW = "equipoise.allow-empty-state";

  @RegisterExtension static final TestCluster CLUSTER = TestCluster.withMortalTaskManagers();

  @TempDir private Path directory;

  @Test
  void aSecondStartNeedsTheStateOrTheOption() throws Exception {
    try (TestDeployment deployment = restarting("second").publish(TestSpecs.ucb())) {
      LocalJob job = deployment.start(1, null);
      assertEquals(2, answered(deployment, "d1").get(0).seq()); // behind the spec's adoption
      String savepoint = job.stopWithSavepoint(directory);
      assertRefused(deployment, deployment.topics.decisions());

      job = deployment.start(1, savepoint);
      assertEquals(3, answered(deployment, "d2").get(1).seq());
      job.cancel();
      assertRefused(deployment, deployment.topics.decisions());

      job = deployment.with(BEGIN_ANEW, "true").start(1, null);
      assertEquals(2, answered(deployment, "d3").get(2).seq());
      job.stopWithSavepoint(directory);
      assertEquals(Verdict.VIOLATED, verdict(deployment, Invariant.I4));
    }
  }

  @Test
  void aJobThatFailsBeforeItsFirstCheckpointBeginsAgainAndLaterGoesOn() throws Exception {
    try (TestDeployment deployment =
        restarting("early").withoutPeriodicCheckpoints().publish(TestSpecs.ucb())) {
      LocalJob job = deployment.start(2, null);
      deployment.context("s", "d1", 1_000, Map.of("S", "a", "X", "low"));
      CLUSTER.kill(job);
      TestDeployment.await(
          () -> {
            job.checkpoint(); // commits
            return deployment.decisions();
          },
          decisions -> !decisions.isEmpty());
      CLUSTER.kill(job);
      job.cancel();
    }
  }

  @Test
  void whereAnswersDoNotWaitOnlyWhatACheckpointHeldIsAPast() throws Exception {
    try (TestDeployment deployment =
        restarting("at-once")
            .with("equipoise.delivery", "at-least-once")
            .withoutPeriodicCheckpoints()
            .publish(TestSpecs.ucb())) {
      LocalJob job = deployment.start(2, null);
      answered(deployment, "d1");
      job.cancel(); // before its first checkpoint, as if it had failed

      job = deployment.start(2, null);
      answered(deployment, "d2");
      checkpointWithOffsets(deployment, job);
      job.cancel();
      assertRefused(deployment, deployment.topics.decisions());

      job = deployment.with(BEGIN_ANEW, "true").start(2, null);
      answered(deployment, "d3");
      job.stopWithSavepoint(directory);
      assertEquals(Verdict.VIOLATED, verdict(deployment, Invariant.I1));
    }
  }

  /** Flink commits what a checkpoint has read some time after it is complete. */
  private static void checkpointWithOffsets(TestDeployment deployment, LocalJob job) {
    String group = deployment.topics.consumerGroup();
    try (Admin admin = Admin.create(deployment.config().kafka())) {
      TestDeployment.await(
          () -> {
            job.checkpoint();
            return AdminCall.of(
                admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), group);
          },
          offsets ->
              offsets.keySet().stream()
                  .anyMatch(at -> at.topic().equals(deployment.topics.contexts())));
    }
  }

  private static Verdict verdict(TestDeployment deployment, Invariant invariant) throws Exception {
    return StableAnswersTest.audited(deployment).stream()
        .filter(finding -> finding.invariant() == invariant)
        .findFirst()
        .orElseThrow()
        .verdict();
  }

  @Test
  void segmentEventsWithoutDecisionsAreAPastToo() throws Exception {
    try (TestDeployment deployment = restarting("orphan").publish(TestSpecs.ucb())) {
      String topic = deployment.topics.segmentEvents();
      deployment.send(new ProducerRecord<>(topic, 1, null, new byte[] {1}));
      assertRefused(deployment, topic + ", partition 1, offset 0");
    }
  }

  @Test
  void whatWasNeverCommittedIsNoPast() throws Exception {
    try (TestDeployment deployment = restarting("aborted").publish(TestSpecs.ucb())) {
      Topics topics = deployment.topics;
      Properties settings = deployment.config().kafka();
      settings.setProperty("transactional.id", "another");
      try (var producer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        producer.initTransactions();
        producer.beginTransaction();
        for (String topic : List.of(topics.decisions(), topics.segmentEvents())) {
          producer.send(new ProducerRecord<>(topic, 0, null, new byte[] {1})).get();
        }
        producer.abortTransaction();
      }
      assertDoesNotThrow(() -> EmptyStateCheck.of(deployment.config()).refuseForgetting());
      deployment.send(new ProducerRecord<>(topics.decisions(), 1, null, new byte[] {1}));
      assertRefused(deployment, topics.decisions() + ", partition 1, offset 0");
    }
  }

  /** Flink would start a job again, for ever, that fails for any other reason. */
  private static TestDeployment restarting(String name) {
    return CLUSTER
        .deployment(name)
        .with("restart-strategy.type", "fixed-delay")
        .with("restart-strategy.fixed-delay.attempts", "1000000")
        .with("restart-strategy.fixed-delay.delay", "100 ms");
  }

  /** Sends a context and waits for its answer; returns all decisions, of one segment, in order. */
  private static List<Decision> answered(TestDeployment deployment, String id) {
    deployment.context("s", id, 1_000, Map.of("S", "a", "X", "low"));
    return TestDeployment.await(
        () ->
            deployment.read(deployment.topics.decisions()).stream()
                .filter(record -> record.value() != null)
                .map(record -> Wire.DECISION.decode(record.value()))
                .toList(),
        all -> all.stream().anyMatch(decision -> decision.decisionId().equals(id)));
  }

  private static void assertRefused(TestDeployment deployment, String place) {
    String refused =
        assertThrows(StartRefusedException.class, () -> deployment.start(1, null)).getMessage();
    assertTrue(refused.contains("(" + place), refused);
    assertTrue(refused.contains("set " + BEGIN_ANEW + " to true"), refused);
    assertTrue(refused.contains("(equipoise run --from, flink run -s)"), refused);
  }
}
