package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditKind;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorKey;
import io.equipoise.event.PriorSet;
import io.equipoise.event.Wire;
import io.equipoise.join.TestPriors;
import io.equipoise.local.LocalJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.JobStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Prior bounds that come, change, are refused and refuted under a running job. */
class PriorLifeTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");
  private static final String SPEC = TestPriors.spec("ignore");
  private static final PriorSet FIRST =
      TestPriors.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final PriorSet SECOND =
      TestPriors.set(2, new double[] {0.25, 0.5}, new double[] {0, 0.4});

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @TempDir private Path directory;
  private final TestPriors published = new TestPriors();
  private int probes;

  @Test
  void boundsAreTakenUpLiveNamedByDecisionsAndKeptThroughARestart() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("live-priors").publish(SPEC)) {
      LocalJob job = deployment.start(2, null);
      assertEquals(null, probe(deployment, null).priorHash());

      publish(deployment, FIRST);
      Decision clipped = probe(deployment, FIRST);
      assertEquals(1L, clipped.priorNumber());
      assertEquals("ucb-pcb", clipped.policy());

      PriorSet elsewhere =
          TestPriors.of(9, TestPriors.row("ab".repeat(32), "A=left", Map.of(), 0, 0.1));
      publish(deployment, elsewhere);
      TestDeployment.await(
          () -> {
            probe(deployment, FIRST); // a segment judges a set at its next event
            return letters(deployment, "PRIOR_OF_OTHER_GRAPH");
          },
          letters -> letters.size() == 1);
      PriorSet later = TestPriors.set(10, new double[] {0.25, 0.5}, new double[] {0, 0.4});
      publish(deployment, later);
      assertEquals(10L, probe(deployment, later).priorNumber());

      String savepoint = job.stopWithSavepoint(directory);
      job = deployment.start(1, savepoint);
      probe(deployment, later);
      assertEquals(
          2,
          deployment.outcomes().stream()
              .filter(outcome -> outcome.kind() == OutcomeKind.PRIOR_ADOPTED)
              .count());
      assertEquals(1, letters(deployment, "PRIOR_OF_OTHER_GRAPH").size());
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.judge(deployment, published, SPEC);
    }
  }

  @Test
  void boundsThatWaitOnTheTopicClipTheFirstDecisionAndRewardsRefuteThem() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("refuted-priors").publish(SPEC)) {
      publish(deployment, FIRST);
      long now = System.currentTimeMillis() - 1_000_000;
      for (int i = 0; i < 400; i++) {
        deployment.context("s", "d" + i, now + i, PERSON);
        deployment.reward("s", "d" + i, now + i, 1.0, Map.of());
      }
      deployment.runToTheEnd(2);
      List<Decision> decisions = deployment.decisions();
      assertEquals(400, decisions.size());
      assertTrue(decisions.stream().allMatch(d -> FIRST.hash().equals(d.priorHash())));
      List<FairnessAudit> refuted =
          deployment.audits().stream().filter(a -> a.kind() == AuditKind.PRIOR_REFUTED).toList();
      assertEquals(1, refuted.size());
      assertEquals("A=right", refuted.get(0).arm());
      assertEquals(FIRST.hash(), refuted.get(0).priorHash());
      assertEquals(List.of(), deployment.deadLetters());
      StreamingJobTest.judge(deployment, published, SPEC);
    }
  }

  @Test
  void badRowsAreOneDeadLetterEachWithTheirBytesAndTheRunningBoundsStay() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("bad-priors").publish(SPEC)) {
      publish(deployment, FIRST);
      LocalJob job = deployment.start(2, null);
      probe(deployment, FIRST);
      String key = PriorKey.of(SECOND.rows().get(0)).text();
      byte[] noise = {1, 2, 3};
      deployment.send(deployment.topics.priors(), key, noise);
      PriorBound upsideDown = bounded(SECOND.rows().get(0), 1, 0);
      deployment.send(deployment.topics.priors(), key, Wire.PRIOR.encode(upsideDown));
      PriorBound contradiction = bounded(FIRST.rows().get(0), 0, 0.9);
      deployment.send(
          deployment.topics.priors(),
          PriorKey.of(contradiction).text(),
          Wire.PRIOR.encode(contradiction));
      List<DeadLetter> letters =
          TestDeployment.await(deployment::deadLetters, found -> found.size() == 3);
      assertEquals(
          List.of("PRIOR_REFUSED", "PRIOR_REFUSED", "UNFRAMED"),
          letters.stream().map(DeadLetter::code).sorted().toList());
      for (DeadLetter letter : letters) {
        assertEquals(deployment.topics.priors(), letter.topic());
        assertTrue(Objects.requireNonNull(letter.value()).length > 2);
      }
      probe(deployment, FIRST);
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.judge(deployment, published, SPEC);
    }
  }

  @Test
  void aPublisherRefusesWhatSegmentsWouldNeverTakeUp() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("numbered-priors").publish(SPEC)) {
      deployment.publish(SECOND).publish(SECOND);
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> deployment.publish(FIRST));
      assertTrue(refused.getMessage().contains("under number 2"), refused.getMessage());
      PriorSet same = TestPriors.set(2, new double[] {0, 1}, new double[] {0, 1});
      assertThrows(StartRefusedException.class, () -> deployment.publish(same));
      new PriorPublisher(deployment.config()).retire(SECOND);
      deployment.publish(FIRST);
      assertEquals(
          2 + 2 + 2 + 2, deployment.read(deployment.topics.priors()).size(), "rows of each call");
    }
  }

  private void publish(TestDeployment deployment, PriorSet set) {
    deployment.publish(set);
    published.publish(set);
  }

  /** Asks for arms until the answer names these bounds. */
  private Decision probe(TestDeployment deployment, @Nullable PriorSet wanted) {
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
        found -> Objects.equals(found.priorHash(), wanted == null ? null : wanted.hash()));
  }

  private static List<DeadLetter> letters(TestDeployment deployment, String code) {
    return deployment.deadLetters().stream().filter(one -> one.code().equals(code)).toList();
  }

  private static PriorBound bounded(PriorBound row, double lower, double upper) {
    return new PriorBound(
        row.name(),
        row.number(),
        row.hash(),
        row.rows(),
        row.arm(),
        row.context(),
        lower,
        upper,
        row.mode(),
        List.of(),
        "",
        null,
        null,
        row.graphHash(),
        null,
        List.of());
  }
}
