package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What of a cluster's topics an audit checks, and what it takes as evidence. */
class KafkaLogTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  private static TestDeployment withDecisions(String name) throws InterruptedException {
    TestDeployment deployment = CLUSTER.deployment(name).publish();
    for (byte number = 0; number < 3; number++) {
      deployment.send(record(deployment, number));
    }
    return deployment;
  }

  private static ProducerRecord<byte[], byte[]> record(TestDeployment deployment, int number) {
    return new ProducerRecord<>(
        deployment.topics.decisions(), 0, new byte[] {1}, new byte[] {(byte) number});
  }

  private static List<Boolean> checked(TestDeployment deployment, Map<String, Long> cuts)
      throws InterruptedException {
    KafkaLog log = KafkaLog.open(deployment.config(), cuts, PATIENCE);
    List<Boolean> checked = new ArrayList<>();
    try (LogReader reader = log.read(log.slices(LogTopic.DECISIONS))) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        assertEquals(checked.size(), at.offset());
        checked.add(at.isChecked());
      }
    }
    return checked;
  }

  @Test
  void aLogIsCheckedUpToAChosenOffsetAndTheRestIsEvidence() throws Exception {
    try (TestDeployment deployment = withDecisions("cut-log")) {
      String partition = deployment.topics.decisions() + "/0";
      assertEquals(List.of(true, true, true), checked(deployment, Map.of()));
      assertEquals(List.of(true, true, false), checked(deployment, Map.of(partition, 2L)));
      assertEquals(List.of(true, true, true), checked(deployment, Map.of(partition, 99L)));
    }
  }

  @Test
  void aPartitionThatTheDeploymentHasNotIsRefused() throws Exception {
    try (TestDeployment deployment = withDecisions("cut-nowhere")) {
      InconclusiveException thrown =
          assertThrows(
              InconclusiveException.class, () -> checked(deployment, Map.of("elsewhere/0", 2L)));
      assertEquals(
          "--to names partitions that this deployment does not have: [elsewhere/0]",
          thrown.getMessage());
    }
  }

  @Test
  void whatATransactionHidesIsWaitedForAndNeverCheckedByHalf() throws Exception {
    try (TestDeployment deployment = withDecisions("cut-open")) {
      Properties settings = deployment.config().kafka();
      settings.setProperty("transactional.id", "cut-open");
      try (KafkaProducer<byte[], byte[]> writer =
          new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
        writer.initTransactions();
        writer.beginTransaction();
        writer.send(record(deployment, 3)).get();
        InconclusiveException thrown =
            assertThrows(
                InconclusiveException.class,
                () -> KafkaLog.open(deployment.config(), Map.of(), Duration.ofMillis(300)));
        assertTrue(thrown.getMessage().contains("a transaction is open in"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("--timeout"), thrown.getMessage());
        writer.commitTransaction();
      }
      deployment.awaitCommitted();
      OffsetRange offsetRange =
          KafkaLog.open(deployment.config(), Map.of(), PATIENCE).slices(LogTopic.DECISIONS).get(0);
      assertEquals(5, offsetRange.horizon(), "four records and the mark of the transaction");
      assertEquals(List.of(true, true, true, true), checked(deployment, Map.of()));
    }
  }
}
