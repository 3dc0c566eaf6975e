package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.control.BoundsPublisher;
import io.equipoise.job.control.ControlBootstrap;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.TestBounds;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Causal bounds that come, change, are refused and refuted under a running job. */
class BoundsLifeTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");
  private static final String SPEC = TestBounds.spec("ignore");
  private static final CausalBoundSet FIRST =
      TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final CausalBoundSet SECOND =
      TestBounds.set(2, new double[] {0.25, 0.5}, new double[] {0, 0.4});

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @TempDir private Path directory;
  private final TestBounds published = new TestBounds();
  private int probes;

  @Test
  void boundsAreTakenUpLiveNamedByDecisionsAndKeptThroughARestart() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("live-bounds").publish(SPEC)) {
      LocalJob job = deployment.start(2, null);
      assertEquals(null, probe(deployment, null).versions().boundsHash());

      publish(deployment, FIRST);
      Decision clipped = probe(deployment, FIRST);
      assertEquals(1L, clipped.versions().boundsVersion());
      assertEquals("ucb-pcb", clipped.policy());

      CausalBoundSet elsewhere =
          TestBounds.of(9, TestBounds.row("ab".repeat(16), "A=left", Map.of(), 0, 0.1));
      publish(deployment, elsewhere);
      TestDeployment.await(
          () -> {
            probe(deployment, FIRST); // a segment checks a set at its next event
            return letters(deployment, "BOUNDS_GRAPH_MISMATCH");
          },
          letters -> letters.size() == 1);
      CausalBoundSet later = TestBounds.set(10, new double[] {0.25, 0.5}, new double[] {0, 0.4});
      publish(deployment, later);
      assertEquals(10L, probe(deployment, later).versions().boundsVersion());

      String savepoint = job.stopWithSavepoint(directory);
      job = deployment.start(1, savepoint);
      probe(deployment, later);
      assertEquals(
          2,
          deployment.segmentEvents().stream()
              .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.BOUNDS_ADOPTED)
              .count());
      assertEquals(1, letters(deployment, "BOUNDS_GRAPH_MISMATCH").size());
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.check(deployment, published, SPEC);
    }
  }

  @Test
  void boundsThatWaitOnTheTopicClipTheFirstDecisionAndRewardsRefuteThem() throws Exception {
    try (TestDeployment deployment =
        CLUSTER.deployment("refuted-bounds").withoutWaiting().publish(SPEC)) {
      publish(deployment, FIRST);
      long now = System.currentTimeMillis() - 1_000_000;
      for (int i = 0; i < 400; i++) {
        deployment.context("s", "d" + i, now + i, PERSON);
        deployment.reward("s", "d" + i, now + i, 1.0, Map.of());
      }
      deployment.runToTheEnd(2);
      List<Decision> decisions = deployment.decisions();
      assertEquals(400, decisions.size());
      assertTrue(decisions.stream().allMatch(d -> FIRST.hash().equals(d.versions().boundsHash())));
      List<SegmentEvent> refuted =
          deployment.segmentEvents().stream()
              .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.BOUNDS_REFUTED)
              .toList();
      assertEquals(1, refuted.size());
      assertEquals("A=right", refuted.get(0).refutedBounds().arm());
      assertEquals(FIRST.hash(), refuted.get(0).versions().boundsHash());
      assertEquals(List.of(), deployment.deadLetters());
      StreamingJobTest.check(deployment, published, SPEC);
    }
  }

  /** The first retires nothing that a savepoint has; the second retires all of it. */
  @Test
  void aTopicThatWasMadeAgainDiffersFromOneWhoseRecordsAreAllRemoved() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("removed-bounds").publish(SPEC)) {
      ControlBootstrap bootstrap = new ControlBootstrap(deployment.config());
      bootstrap.read(key -> null);
      assertNull(bootstrap.keys().causalBounds());
      assertEquals(1, bootstrap.keys().specs().size());
      RawControl last = RawControl.of(deployment.read(deployment.topics.specs()).get(0));
      assertTrue(bootstrap.hasRead(last));
      assertFalse(bootstrap.hasRead(at(last, last.offset() + 1, last.appendTime())));
      assertFalse(
          bootstrap.hasRead(at(last, last.offset(), last.appendTime() + 1)),
          "of a topic that was made again since");
      Properties clients = deployment.config().kafka();
      clients.setProperty("transactional.id", "removes-bounds");
      try (var producer =
          new KafkaProducer<>(clients, new ByteArraySerializer(), new ByteArraySerializer())) {
        producer.initTransactions();
        producer.beginTransaction();
        producer
            .send(
                new ProducerRecord<>(
                    deployment.topics.causalBounds(), new byte[] {1}, new byte[] {1}))
            .get();
        producer.abortTransaction(); // leaves an offset without a record, as compaction does
      }
      TestDeployment.await(
          () -> {
            bootstrap.read(key -> null);
            return bootstrap.keys();
          },
          keys -> Set.of().equals(keys.causalBounds()));
    }
  }

  @Test
  void badRowsAreOneDeadLetterEachWithTheirBytesAndTheRunningBoundsStay() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("bad-bounds").publish(SPEC)) {
      publish(deployment, FIRST);
      LocalJob job = deployment.start(2, null);
      probe(deployment, FIRST);
      String key = CausalBoundKey.of(SECOND.rows().get(0)).text();
      byte[] noise = {1, 2, 3};
      deployment.send(deployment.topics.causalBounds(), key, noise);
      CausalBound upsideDown = bounded(SECOND.rows().get(0), 1, 0);
      deployment.send(deployment.topics.causalBounds(), key, Wire.CAUSAL_BOUND.encode(upsideDown));
      CausalBound contradiction = bounded(FIRST.rows().get(0), 0, 0.9);
      deployment.send(
          deployment.topics.causalBounds(),
          CausalBoundKey.of(contradiction).text(),
          Wire.CAUSAL_BOUND.encode(contradiction));
      List<DeadLetter> letters =
          TestDeployment.await(deployment::deadLetters, found -> found.size() == 3);
      assertEquals(
          List.of("BOUNDS_REJECTED", "BOUNDS_REJECTED", "UNFRAMED"),
          letters.stream().map(DeadLetter::code).sorted().toList());
      for (DeadLetter letter : letters) {
        assertEquals(deployment.topics.causalBounds(), letter.source().topic());
        assertTrue(Objects.requireNonNull(letter.input().value()).length > 2);
      }
      probe(deployment, FIRST);
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.check(deployment, published, SPEC);
    }
  }

  @Test
  void aPublisherRefusesWhatSegmentsWouldNeverTakeUp() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("numbered-bounds").publish(SPEC)) {
      deployment.publish(SECOND).publish(SECOND);
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> deployment.publish(FIRST));
      assertTrue(refused.getMessage().contains("under version 2"), refused.getMessage());
      CausalBoundSet same = TestBounds.set(2, new double[] {0, 1}, new double[] {0, 1});
      assertThrows(StartRefusedException.class, () -> deployment.publish(same));
      new BoundsPublisher(deployment.config()).retire(SECOND);
      deployment.publish(FIRST);
      assertEquals(
          2 + 2 + 2 + 2,
          deployment.read(deployment.topics.causalBounds()).size(),
          "rows of each call");
    }
  }

  private void publish(TestDeployment deployment, CausalBoundSet set) {
    deployment.publish(set);
    published.publish(set);
  }

  /** Asks for arms until the answer names these bounds. */
  private Decision probe(TestDeployment deployment, @Nullable CausalBoundSet wanted) {
    return TestDeployment.await(
        () -> {
          String id = "probe" + probes++;
          deployment.context("s", id, System.currentTimeMillis(), PERSON);
          return TestDeployment.await(
                  deployment::decisions,
                  found -> found.stream().anyMatch(d -> d.decisionId().equals(id)))
              .stream()
              .filter(decision -> decision.decisionId().equals(id))
              .findFirst()
              .orElseThrow();
        },
        found ->
            Objects.equals(found.versions().boundsHash(), wanted == null ? null : wanted.hash()));
  }

  private static List<DeadLetter> letters(TestDeployment deployment, String code) {
    return deployment.deadLetters().stream().filter(one -> one.code().equals(code)).toList();
  }

  private static RawControl at(RawControl record, long offset, long appendTime) {
    return new RawControl(
        record.topic(), record.partition(), offset, appendTime, record.key(), record.value());
  }

  private static CausalBound bounded(CausalBound row, double lower, double upper) {
    return new CausalBound(row.set(), row.arm(), row.context(), lower, upper, row.evidence());
  }
}
