package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.SpecCatalog;
import io.equipoise.audit.verify.VerifyOptions;
import io.equipoise.client.Answers;
import io.equipoise.event.Decision;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** At-least-once delivery on a real broker and a real cluster, in this JVM. */
public class StableAnswersTest {
  private static final int KILLS = Tier.count(2, 5);
  private static final int CONTEXTS = 60;
  private static final String[] SEGMENTS = {"s0", "s1", "s2", "s3"};
  private static final long SEED = 20_261_121;

  @RegisterExtension static final TestCluster CLUSTER = TestCluster.withMortalTaskManagers();

  @TempDir private Path directory;

  private final SplittableRandom random = new SplittableRandom(SEED);

  /** No checkpoint is taken before the kills, and no answer waits for one. */
  @Test
  void noDecisionEverCarriesTwoArmsThroughKillsAndARescale() throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment("stable")
            .withoutWaiting()
            .with("equipoise.delivery", "at-least-once")
            .with("execution.checkpointing.interval", "5 min") // so that kills come before one
            .with("restart-strategy.type", "fixed-delay")
            .with("restart-strategy.fixed-delay.attempts", "100")
            .with("restart-strategy.fixed-delay.delay", "100 ms")
            .publish(spec(1, "{id: one, A: left}, {id: two, A: right}"))) {
      LocalJob job = deployment.start(2, null);
      int sent = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        if (kill == KILLS / 2) { // no checkpoint contains the decisions before it
          deployment.republish(
              spec(2, "{id: one, A: left}, {id: two, A: right}, {id: three, A: left}"));
        }
        sent = answered(deployment, sent); // without a checkpoint
        if (kill == 0) {
          assertMarkersOfOneRun(markers(deployment));
        }
        CLUSTER.kill(job);
      }
      String savepoint = job.stopWithSavepoint(directory);
      job = deployment.start(3, savepoint);
      sent = answered(deployment, sent);
      CLUSTER.kill(job);
      deployment.drain(SEGMENTS);
      sent += SEGMENTS.length;
      job.stopWithSavepoint(directory);

      Map<String, List<Decision>> valid = valid(deployment);
      assertEquals(sent, valid.size());
      int repeated = 0;
      Set<Long> versions = new TreeSet<>();
      for (List<Decision> records : valid.values()) {
        Decision answer = records.get(0);
        for (Decision record : records.subList(1, records.size())) {
          repeated++;
          assertEquals(answer.arm(), record.arm(), "seed " + SEED + ": " + records);
          assertEquals(answer.propensities(), record.propensities());
          assertEquals(answer.features(), record.features());
          assertTrue(record.recovered(), record.toString());
          assertEquals(answer.specVersion(), record.specVersion());
          versions.add(record.specVersion());
        }
      }
      assertEquals(List.of(1L, 2L), List.copyOf(versions), "repeated under both specs");
      assertTrue(repeated > 0, "no kill met an answer that no checkpoint held");
      for (Finding finding : audited(deployment).subList(0, 7)) {
        assertEquals(Verdict.OK, finding.verdict(), finding.toString());
      }
    }
  }

  private static String spec(int version, String arms) {
    return TestSpecs.dUcb()
        .replace("version: 1", "version: " + version)
        .replace("arms: all", "arms: [" + arms + "]");
  }

  private static void assertMarkersOfOneRun(List<WriterEpochMarker> markers) {
    assertEquals(4, markers.size()); // of two subtasks in two partitions
    for (WriterEpochMarker marker : markers) {
      assertTrue(marker.run().matches("[0-9a-f]{32}"), marker.toString());
      assertEquals(markers.get(0).run(), marker.run());
      assertEquals(0, marker.execution());
      assertEquals(63, marker.lastKeyGroup() - marker.firstKeyGroup());
    }
  }

  private static List<WriterEpochMarker> markers(TestDeployment deployment) {
    return deployment.read(deployment.topics.decisions()).stream()
        .filter(record -> record.value() == null)
        .map(record -> WriterEpochMarker.of(record.headers()))
        .toList();
  }

  /** As another run of the job does. */
  @Test
  void aJobWhosePlaceWasTakenFindsOutAndGoesOn() throws Exception {
    try (TestDeployment deployment =
        CLUSTER
            .deployment("taken")
            .with("equipoise.delivery", "at-least-once")
            .with("restart-strategy.type", "fixed-delay")
            .with("restart-strategy.fixed-delay.attempts", "100")
            .with("restart-strategy.fixed-delay.delay", "100 ms")
            .publish(TestSpecs.dUcb())) {
      LocalJob job = deployment.start(2, null);
      answered(deployment, 0);
      WriterEpochMarker marker = new WriterEpochMarker(50, 0, 127, "another run", 0);
      for (int partition = 0; partition < 2; partition++) {
        deployment.send(
            new ProducerRecord<>(
                deployment.topics.decisions(), partition, null, null, null, marker.headers()));
      }
      AtomicInteger sent = new AtomicInteger(CONTEXTS);
      TestDeployment.await(
          () -> {
            deployment.context("s1", "d" + sent.getAndIncrement(), 1, Map.of("S", "a", "X", "low"));
            return answers(deployment);
          },
          found -> found.stream().anyMatch(decision -> decision.writerEpoch() > 50));
      job.cancel();
    }
  }

  /** Sends some more and waits until all have their answers; returns how many there are. */
  private int answered(TestDeployment deployment, int sent) {
    int wanted = send(deployment, sent);
    TestDeployment.await(() -> answers(deployment).size(), answers -> answers >= wanted);
    return wanted;
  }

  private int send(TestDeployment deployment, int first) {
    long now = System.currentTimeMillis();
    for (int i = first; i < first + CONTEXTS; i++) {
      Map<String, Object> person =
          Map.of("S", random.nextBoolean() ? "a" : "b", "X", random.nextBoolean() ? "low" : "high");
      deployment.context(SEGMENTS[i % SEGMENTS.length], "d" + i, now + i, person);
      deployment.reward(
          SEGMENTS[i % SEGMENTS.length], "d" + i, now + i, random.nextInt(2), Map.of("M", "1"));
    }
    return first + CONTEXTS;
  }

  public static List<Finding> audited(TestDeployment deployment) throws InterruptedException {
    JobConfig config = deployment.config();
    PublishedControls controls = PublishedControls.read(config);
    VerifyOptions verifyOptions =
        new VerifyOptions(true, config.maxClockSkew(), 64 << 20, 3, List.of(), Duration.ZERO, null);
    return new Auditor(
            KafkaLog.open(config, Map.of(), Duration.ofSeconds(30)),
            SpecCatalog.of(controls),
            verifyOptions)
        .check();
  }

  /** Reads as any program would that shows the arms. */
  private static List<Decision> answers(TestDeployment deployment) {
    Answers answers = new Answers();
    return deployment.read(deployment.topics.decisions()).stream()
        .map(answers::on)
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns all valid records by decision id. */
  private static Map<String, List<Decision>> valid(TestDeployment deployment) {
    Map<Integer, ValidWriterEpochs> writerEpochs = new HashMap<>();
    Map<String, List<Decision>> valid = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : deployment.read(deployment.topics.decisions())) {
      ValidWriterEpochs of =
          writerEpochs.computeIfAbsent(record.partition(), any -> new ValidWriterEpochs());
      if (record.value() == null) {
        of.on(WriterEpochMarker.of(record.headers()));
        continue;
      }
      Decision decision = Wire.DECISION.decode(record.value());
      if (of.on(decision)) {
        valid.computeIfAbsent(decision.decisionId(), id -> new ArrayList<>()).add(decision);
      }
    }
    return valid;
  }
}
