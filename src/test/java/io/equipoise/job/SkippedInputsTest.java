package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Invariant;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A record in the middle of a batch that no consumer can read, as a decompression bomb: its length
 * is damaged in the broker's file. The records before it can be read one by one.
 */
class SkippedInputsTest {
  private static final String SPEC =
      TestSpecs.ucb(
          "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback:"
              + " \"A=right\"}",
          "{range: [0, 1]}");
  private static final String SKIP = "equipoise.inputs.skip";
  private static final String POISON = "poison";
  private static final String KEY = "the key of the poison";
  private static final String SEGMENT = "shop";

  /** The job is too short for a metrics snapshot. */
  private static final Set<Invariant> OF_SNAPSHOTS = EnumSet.of(Invariant.I5, Invariant.I6);

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();
  @TempDir Path savepoints;

  @Test
  void aJobThatEndsAtARecordGoesOnFromItsSavepointWhenTheOptionNamesTheOffset() throws Exception {
    try (TestDeployment deployment = deployment("skip-later").publish(SPEC)) {
      LocalJob job = deployment.start(1, null);
      send(deployment, "before1", "before2");
      deployment.awaitDecisions(2);
      String savepoint = job.stopWithSavepoint(savepoints);
      List<Long> batch = send(deployment, "same1", POISON, "same2");
      damage(deployment);
      assertEndsAtThePoison(deployment, savepoint);
      assertGoesOn(
          deployment,
          savepoint,
          batch.get(1),
          batch.get(2),
          "before1",
          "before2",
          "same1",
          "after");
    }
  }

  @Tag("full")
  @Test
  void aJobWithoutStateSkipsFromTheStartOfItsPartition() throws Exception {
    try (TestDeployment deployment = deployment("skip-first").publish(SPEC)) {
      List<Long> batch = send(deployment, "first", POISON);
      damage(deployment);
      assertEndsAtThePoison(deployment, null);
      assertGoesOn(deployment, null, batch.get(1), batch.get(1), "first", "after");
    }
  }

  @Test
  void offsetsBeyondTheEndAndUnknownPartitionsAreRefused() throws Exception {
    try (TestDeployment deployment = deployment("skip-beyond").publish(SPEC)) {
      send(deployment, "only");
      String topic = deployment.topics.contexts();
      assertRefused(deployment, topic + "/0/1", "allowed: offsets below 1");
      assertRefused(deployment, topic + "/1/0", "allowed: partitions below 1");
      assertRefused(deployment, deployment.topics.decisions() + "/0/0", "allowed: TOPIC/PARTITION");
      assertRefused(deployment, topic + "/0/5-4", "allowed: TOPIC/PARTITION");
      assertRefused(deployment, topic + "/0/0;" + topic + "/0/0-3", "no offset twice");
    }
  }

  private static void assertRefused(TestDeployment deployment, String skip, String allowed) {
    deployment.with(SKIP, skip);
    Exception refused = assertThrows(Exception.class, () -> deployment.start(1, null));
    assertTrue(String.valueOf(refused.getMessage()).contains(allowed), refused::getMessage);
  }

  private static TestDeployment deployment(String name) {
    return CLUSTER
        .deployment(name)
        .with("equipoise.partitions", "1")
        .with("kafka.check.crcs", "false");
  }

  private static void assertEndsAtThePoison(TestDeployment deployment, @Nullable String savepoint)
      throws InterruptedException {
    deployment.with("execution.checkpointing.interval", "1 min");
    LocalJob job;
    try {
      job = deployment.start(1, savepoint);
    } catch (IllegalStateException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("FAILED"), e::getMessage);
      return;
    }
    assertTrue(job.awaitEnd(TestDeployment.PATIENCE).getSerializedThrowable().isPresent());
    assertEquals(JobStatus.FAILED, job.status());
  }

  /** The range ends with the batch: what lies behind the poison cannot be read either. */
  private void assertGoesOn(
      TestDeployment deployment,
      @Nullable String savepoint,
      long first,
      long last,
      String... answered)
      throws Exception {
    String topic = deployment.topics.contexts();
    deployment
        .with("execution.checkpointing.interval", "200 ms")
        .with(SKIP, topic + "/0/" + first + "-" + last);
    LocalJob job = deployment.start(1, savepoint);
    send(deployment, "after");
    assertEquals(List.of(answered), ids(deployment.awaitDecisions(answered.length)));
    assertSkipped(deployment, first, last);
    assertEquals(JobStatus.RUNNING, job.status());
    LocalJob again = deployment.start(1, job.stopWithSavepoint(savepoints));
    send(deployment, "again");
    deployment.awaitDecisions(answered.length + 1);
    again.stopWithSavepoint(savepoints);
    deployment.awaitCommitted();
    assertSkipped(deployment, first, last);
    for (Finding finding : StableAnswersTest.audited(deployment).subList(0, 7)) {
      Finding.Verdict expected =
          OF_SNAPSHOTS.contains(finding.invariant())
              ? Finding.Verdict.NOT_CHECKED
              : Finding.Verdict.OK;
      assertEquals(expected, finding.verdict(), finding::toString);
    }
    deployment.with(SKIP, "");
    assertThrows(InconclusiveException.class, () -> StableAnswersTest.audited(deployment));
  }

  private static void assertSkipped(TestDeployment deployment, long first, long last) {
    List<DeadLetter> letters =
        TestDeployment.await(deployment::deadLetters, found -> found.size() > last - first);
    List<String> places = new ArrayList<>();
    for (DeadLetter letter : letters) {
      places.add(
          letter.code()
              + " "
              + letter.source().topic()
              + "/"
              + letter.source().partition()
              + "/"
              + letter.source().offset());
      assertNull(letter.input().key());
      assertNull(letter.input().value());
    }
    List<String> expected = new ArrayList<>();
    for (long offset = first; offset <= last; offset++) {
      expected.add("SKIPPED " + deployment.topics.contexts() + "/0/" + offset);
    }
    assertEquals(expected, places);
  }

  private static List<String> ids(List<Decision> decisions) {
    return decisions.stream().map(Decision::decisionId).toList();
  }

  /** Sends contexts in one batch and returns their offsets. */
  private static List<Long> send(TestDeployment deployment, String... ids) throws Exception {
    Properties settings = deployment.config().kafka();
    settings.setProperty("linger.ms", "60000");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String id : ids) {
        long now = System.currentTimeMillis();
        byte[] value =
            Wire.CONTEXT.encode(
                new WireContext(id, SEGMENT, now, Map.of("S", "a", "X", "low"), null, null));
        byte[] key = (id.equals(POISON) ? KEY : SEGMENT).getBytes(StandardCharsets.UTF_8);
        sent.add(producer.send(new ProducerRecord<>(deployment.topics.contexts(), 0, key, value)));
      }
      producer.flush();
      List<Long> offsets = new ArrayList<>();
      for (Future<RecordMetadata> each : sent) {
        offsets.add(each.get().offset());
      }
      return offsets;
    }
  }

  /** Makes the poison's key longer than its record. */
  private static void damage(TestDeployment deployment) throws IOException {
    Path file =
        CLUSTER
            .brokerDirectory()
            .resolve(deployment.topics.contexts() + "-0/00000000000000000000.log");
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
      log.seek(bytes.indexOf(KEY) - 1);
      log.write(0x7e);
    }
  }
}
