package io.equipoise.job.start;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.TestCluster;
import io.equipoise.job.TestDeployment;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** There is no way back from at-least-once delivery within a deployment. */
class DeliveryCheckTest {
  private static final String DELIVERY = "equipoise.delivery";

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void exactlyOnceDoesNotStartBesideOrBehindTheOtherDelivery() throws Exception {
    try (TestDeployment deployment =
        CLUSTER.deployment("way-back").with(DELIVERY, "at-least-once").publish(TestSpecs.dUcb())) {
      LocalJob job = deployment.start(2, null);
      deployment.with(DELIVERY, "exactly-once");
      assertRefused(deployment);
      job.cancel();
      assertRefused(deployment);
      deployment.with(DELIVERY, "at-least-once").start(2, null).cancel();
    }
  }

  private static void assertRefused(TestDeployment deployment) {
    String refused =
        assertThrows(StartRefusedException.class, () -> deployment.start(2, null)).getMessage();
    assertTrue(refused.contains("set equipoise.delivery to at-least-once, or"), refused);
    assertTrue(refused.contains("another equipoise.deployment"), refused);
  }

  @Test
  void itsOwnDecisionsAndRecordsOfOthersRefuseNothing() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("own").publish(TestSpecs.ucb())) {
      for (int i = 0; i < 3; i++) {
        deployment.context("s", "d" + i, 1_000 + i, Map.of("S", "a", "X", "low"));
      }
      deployment.runToTheEnd(1);
      String topic = deployment.topics.decisions();
      deployment.send(topic, "s", new byte[] {1, 2, 3});
      deployment.send(topic, "s", null);
      DeliveryCheck check = new DeliveryCheck(deployment.config().kafka(), topic);
      assertDoesNotThrow(check::refuseOtherBefore);
      WriterEpochMarker marker = new WriterEpochMarker(1, 0, 127);
      deployment.send(new ProducerRecord<>(topic, 1, null, null, null, marker.headers()));
      assertThrows(StartRefusedException.class, check::refuseOtherBefore);
      for (int i = 0; i < DeliveryCheck.TAIL - 1; i++) {
        deployment.send(new ProducerRecord<>(topic, 1, null, new byte[] {1}));
      }
      assertThrows(StartRefusedException.class, check::refuseOtherBefore);
    }
  }
}
