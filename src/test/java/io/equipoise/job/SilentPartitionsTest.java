package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Event time where next to nothing happens: most partitions never see a record. */
@Order(1)
class SilentPartitionsTest {
  private static final String BRIEF =
      TestSpecs.ucb(
          "{reward-window: 6s, early-reward-timeout: 1s, dedup-window: 1s}", "{range: [0, 1]}");
  private static final int BUSY_PARTITION = 1;
  private static final int CONTEXTS = 40;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();
  @TempDir Path savepoints;

  @Test
  void everythingIsAnsweredAndExpiresThoughMostPartitionsAndInTheEndAllAreSilent()
      throws Exception {
    try (TestDeployment deployment =
        deployment("silent")
            .with("equipoise.partitions", "3")
            .with("equipoise.max-outage", "1 s")
            .with("equipoise.time.idle-timeout", "2 s")
            .with("equipoise.time.max-clock-skew", "500 ms")
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
      List<SegmentEvent> segmentEvents =
          TestDeployment.await(
              deployment::segmentEvents,
              found -> count(found, SegmentEventType.REWARD_TIMEOUT) >= CONTEXTS / 2);
      assertEquals(CONTEXTS / 2, count(segmentEvents, SegmentEventType.REWARD_APPLIED));
      assertEquals(CONTEXTS / 2, count(segmentEvents, SegmentEventType.REWARD_TIMEOUT));
      assertEquals(List.of(), deployment.deadLetters());
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.check(deployment, BRIEF);
    }
  }

  /**
   * With the default options of time; each second reward comes in the last second of its window.
   */
  @Test
  void theWindowsOfOneBusySegmentCloseOnTimeThoughThreeOfFourPartitionsAreSilent()
      throws Exception {
    try (TestDeployment deployment =
        deployment("silent-on-time")
            .with("equipoise.partitions", "4")
            .with("equipoise.time.idle-timeout", "30 min")
            .with("equipoise.time.max-append-delay", "5 s")
            .publish(BRIEF)) {
      LocalJob job = deployment.start(2, null);
      List<Long> times = new ArrayList<>();
      List<Long> late = List.of();
      while (late.size() < 3) {
        long sent = times.size();
        assertTrue(sent < 2 * TestDeployment.PATIENCE.toSeconds(), "no window closed");
        times.add(System.currentTimeMillis());
        context(deployment, "d" + sent, BUSY_PARTITION);
        if (sent >= 11 && sent % 2 == 0) { // 5.5 s after its context
          String id = "d" + (sent - 11);
          long time = times.get((int) sent - 11) + 5_500;
          send(
              deployment,
              deployment.topics.rewards(),
              Wire.REWARD.encode(new WireReward(id, null, "s", time, 0.5, Map.of(), null)));
        }
        long next = times.get(0) + 500 * (sent + 1);
        late =
            TestDeployment.await(
                () -> lateness(deployment), found -> System.currentTimeMillis() >= next);
      }
      job.cancel();
      assertTrue(Collections.max(late) <= 10_000, late + " ms after their ends");
      assertEquals(List.of(), deployment.deadLetters());
      StreamingJobTest.check(deployment, BRIEF);
    }
  }

  /** Takes fewer checkpoints than other tests: these mostly wait. */
  private static TestDeployment deployment(String name) {
    return CLUSTER.deployment(name).with("execution.checkpointing.interval", "1 s");
  }

  /** Returns the milliseconds from the end of each timed-out window to the record that says so. */
  private static List<Long> lateness(TestDeployment deployment) {
    List<Long> late = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record :
        deployment.read(deployment.topics.segmentEvents())) {
      SegmentEvent event = Wire.SEGMENT_EVENT.decode(record.value());
      if (event.type() == SegmentEventType.REWARD_TIMEOUT) {
        late.add(record.timestamp() - event.eventTime());
      }
    }
    return late;
  }

  /**
   * Flink restores the old partition to the first reader, and the connector's rule gives one of the
   * new ones to it too: topics of these names would leave another reader without a partition.
   */
  @Test
  void windowsCloseAfterAStartWithMorePartitionsAndMoreReadersAndAfterOneWithFewer()
      throws Exception {
    try (TestDeployment deployment =
        deployment("silent-added")
            .with("equipoise.partitions", "1")
            .with("equipoise.max-outage", "1 s")
            .with("equipoise.time.idle-timeout", "2 s")
            .with("equipoise.time.max-clock-skew", "500 ms")
            .publish(BRIEF)) {
      LocalJob job = deployment.start(1, null);
      context(deployment, "old", 0);
      deployment.awaitDecisions(1);
      String savepoint = job.stopWithSavepoint(savepoints);
      deployment.addPartitions(deployment.topics.contexts(), 3);
      deployment.addPartitions(deployment.topics.rewards(), 3);
      for (int partition = 0; partition < 3; partition++) {
        context(deployment, "added" + partition, partition);
      }
      LocalJob wider = deployment.start(3, savepoint);
      awaitTimeouts(deployment, 4);
      savepoint = wider.stopWithSavepoint(savepoints);
      context(deployment, "fewer", 2);
      LocalJob narrower = deployment.start(2, savepoint);
      awaitTimeouts(deployment, 5);
      narrower.cancel();
      assertEquals(List.of(), deployment.deadLetters());
      StreamingJobTest.check(deployment, BRIEF);
    }
  }

  private static void awaitTimeouts(TestDeployment deployment, int wanted) {
    TestDeployment.await(
        deployment::segmentEvents,
        found -> count(found, SegmentEventType.REWARD_TIMEOUT) >= wanted);
  }

  private static void context(TestDeployment deployment, String id, int partition) {
    long now = System.currentTimeMillis();
    deployment.send(
        new ProducerRecord<>(
            deployment.topics.contexts(),
            partition,
            "s".getBytes(StandardCharsets.UTF_8),
            Wire.CONTEXT.encode(
                new WireContext(id, "s", now, Map.of("S", "a", "X", "low"), null, null))));
  }

  private static void send(TestDeployment deployment, String topic, byte[] value) {
    byte[] key = "s".getBytes(StandardCharsets.UTF_8);
    deployment.send(new ProducerRecord<>(topic, BUSY_PARTITION, key, value));
  }

  private static long count(List<SegmentEvent> segmentEvents, SegmentEventType kind) {
    return segmentEvents.stream().filter(segmentEvent -> segmentEvent.type() == kind).count();
  }
}
