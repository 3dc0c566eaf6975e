package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.join.TestSpecs;
import io.equipoise.local.LocalJob;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Event time where next to nothing happens: most partitions never see a record. */
class SilentPartitionsTest {
  private static final String BRIEF =
      TestSpecs.ucb("{window: 6s, early: 1s, dedup: 1s}", "{range: [0, 1]}");
  private static final int BUSY_PARTITION = 1;
  private static final int CONTEXTS = 40;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void everythingIsAnsweredAndExpiresThoughMostPartitionsAndInTheEndAllAreSilent()
      throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment("silent")
            .with("equipoise.partitions", "3")
            .with("equipoise.outage.longest", "1 s")
            .with("equipoise.time.idle-advance", "2 s")
            .with("equipoise.time.allowed-skew", "500 ms")
            .publish(BRIEF)) {
      LocalJob job = deployment.start(4, null);
      for (int i = 0; i < CONTEXTS; i++) {
        long now = System.currentTimeMillis();
        send(
            deployment,
            deployment.topics.contexts(),
            Wire.CONTEXT.encode(
                new WireContext("d" + i, "s", now, Map.of("S", "a", "X", "low"), null, null)));
        if (i % 2 == 0) {
          send(
              deployment,
              deployment.topics.rewards(),
              Wire.REWARD.encode(new WireReward("d" + i, null, "s", now, 0.5, Map.of(), null)));
        }
      }
      deployment.awaitDecisions(CONTEXTS);
      List<Outcome> outcomes =
          TestDeployment.await(
              deployment::outcomes, found -> count(found, OutcomeKind.EXPIRED) >= CONTEXTS / 2);
      assertEquals(CONTEXTS / 2, count(outcomes, OutcomeKind.APPLIED));
      assertEquals(CONTEXTS / 2, count(outcomes, OutcomeKind.EXPIRED));
      assertEquals(List.of(), deployment.deadLetters());
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.judge(deployment, BRIEF);
    }
  }

  private static void send(TestDeployment deployment, String topic, byte[] value) {
    byte[] key = "s".getBytes(StandardCharsets.UTF_8);
    deployment.send(new ProducerRecord<>(topic, BUSY_PARTITION, key, value));
  }

  private static long count(List<Outcome> outcomes, OutcomeKind kind) {
    return outcomes.stream().filter(outcome -> outcome.kind() == kind).count();
  }
}
