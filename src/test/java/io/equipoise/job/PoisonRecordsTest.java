package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextLedger;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Source;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.LocalJob;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.common.JobStatus;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records of every bad kind: each is a dead letter once, and nothing else suffers. */
class PoisonRecordsTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");
  private static final int GOOD_BEFORE = 10;
  private static final int GOOD_AFTER = 5;
  private static final String SPEC =
      TestSpecs.ucb(
              "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback:"
                  + " \"A=right\"}",
              "{range: [0, 1]}")
          .replace("segments: default", "segments: {exact: [" + PoisonRecord.SEGMENT + "]}");
  private static final Set<ErrorCode> UNDECODABLE =
      EnumSet.of(
          ErrorCode.TOMBSTONE,
          ErrorCode.EMPTY,
          ErrorCode.OVERSIZED,
          ErrorCode.UNFRAMED,
          ErrorCode.UNKNOWN_SCHEMA,
          ErrorCode.MALFORMED,
          ErrorCode.INVALID_ID);

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  private final long now = System.currentTimeMillis();
  private final List<PoisonRecord> contexts = PoisonRecord.contexts(now);
  private final List<PoisonRecord> rewards = PoisonRecord.rewards(now);
  private final Map<Source, PoisonRecord> swallowed = new HashMap<>();

  /** Where a record lies. */
  @Test
  void aRunningJobDeadLettersEachOnceAnswersWhoCanBeAnsweredAndGoesOn() throws Exception {
    try (TestDeployment deployment =
        CLUSTER.deployment("live-poison").withoutWaiting().publish(SPEC)) {
      LocalJob job = deployment.start(2, null);
      sendAll(deployment);
      TestDeployment.await(
          deployment::deadLetters, letters -> letters.size() >= contexts.size() + rewards.size());
      goodContexts(deployment, "late", GOOD_AFTER);
      long answers = GOOD_BEFORE + GOOD_AFTER + answerable();
      TestDeployment.await(
          deployment::decisions,
          found -> found.stream().filter(each -> !each.isRepeated()).count() >= answers);
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      assertDeadLetters(deployment);
      assertAnswers(deployment, answers);
      StreamingJobTest.check(deployment, SPEC);
    }
  }

  @Test
  void theLedgersBalanceOverEverythingThatWaitedInTheTopics() throws Exception {
    try (TestDeployment deployment =
        CLUSTER.deployment("waiting-poison").withoutWaiting().publish(SPEC)) {
      sendAll(deployment);
      deployment.runToTheEnd(2);
      assertDeadLetters(deployment);
      assertAnswers(deployment, GOOD_BEFORE + answerable());
      Collection<SegmentMetrics> last = last(deployment.metrics());
      assertEquals(1, last.size(), "the covered segment; the unknown one has no state");
      assertEquals(
          GOOD_BEFORE + contexts.size() - undecodable(contexts) - unknown(contexts),
          last.stream().mapToLong(metrics -> sum(metrics.contexts())).sum());
      assertEquals(
          1 + rewards.size() - undecodable(rewards) - unknown(rewards),
          last.stream().mapToLong(metrics -> sum(metrics.rewards())).sum());
      for (SegmentMetrics metrics : last) {
        assertEquals(metrics.contexts().decided(), sum(metrics.decisions()));
        assertEquals(0, metrics.decisions().awaiting());
      }
    }
  }

  /** A restart is not allowed: a job that still runs never failed. */
  @Tag("full")
  @Test
  void hugeRewardsOfASegmentWithoutBoundsAreDeadLettersAndItsNextContextIsAnswered()
      throws Exception {
    String unbounded = SPEC.replace("range: [0, 1]", "range: [0, 1], bounded: false, scale: 1");
    double[] huge = {1.7e308, -1.7e308, 2e9};
    try (TestDeployment deployment = CLUSTER.deployment("huge-rewards").publish(unbounded)) {
      LocalJob job = deployment.start(1, null);
      goodContexts(deployment, "good", huge.length + 1);
      deployment.awaitDecisions(huge.length + 1);
      for (int i = 0; i < huge.length; i++) {
        deployment.reward(PoisonRecord.SEGMENT, "good" + i, now, huge[i], Map.of());
      }
      deployment.reward(PoisonRecord.SEGMENT, "good" + huge.length, now, 0, Map.of());
      List<DeadLetter> letters =
          TestDeployment.await(deployment::deadLetters, found -> found.size() >= huge.length);
      assertEquals(
          Collections.nCopies(huge.length, "REWARD_OUT_OF_RANGE"),
          letters.stream().map(DeadLetter::code).toList());
      TestDeployment.await(
          deployment::segmentEvents,
          found -> found.stream().anyMatch(each -> each.type() == SegmentEventType.REWARD_APPLIED));
      goodContexts(deployment, "next", 1);
      deployment.awaitDecisions(huge.length + 2);
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.check(deployment, unbounded);
    }
  }

  @Test
  void badSpecsAreRefusedOnceAndTheRunningOneStays() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("bad-specs").publish(SPEC)) {
      LocalJob job = deployment.start(2, null);
      String better = SPEC.replace("version: 1", "version: 2");
      Map<String, @Nullable String> bad = new HashMap<>();
      bad.put("test/broken", "name: [test");
      bad.put("test/" + "0".repeat(32), better);
      bad.put("test/old-text", SPEC);
      bad.put("test", null);
      for (Map.Entry<String, @Nullable String> spec : bad.entrySet()) {
        @Nullable String text = spec.getValue();
        deployment.send(
            deployment.topics.specs(),
            spec.getKey(),
            text == null ? null : text.getBytes(StandardCharsets.UTF_8));
      }
      List<DeadLetter> letters =
          TestDeployment.await(deployment::deadLetters, found -> found.size() >= bad.size());
      assertEquals(bad.size(), letters.size());
      for (DeadLetter letter : letters) {
        assertEquals("SPEC_REJECTED", letter.code());
        assertEquals(deployment.topics.specs(), letter.source().topic());
        String text = bad.get(new String(letter.input().key(), StandardCharsets.UTF_8));
        assertArrayEquals(
            text == null ? null : text.getBytes(StandardCharsets.UTF_8), letter.input().value());
      }
      assertRunsUnder(deployment, "d1", 1);
      job.cancel();
      LocalJob next = deployment.with("equipoise.allow-empty-state", "true").start(1, null);
      assertRunsUnder(deployment, "d2", 2);
      assertEquals(JobStatus.RUNNING, next.status());
      next.cancel();
    }
  }

  private static void assertRunsUnder(TestDeployment deployment, String id, int count) {
    deployment.context(PoisonRecord.SEGMENT, id, System.currentTimeMillis(), PERSON);
    List<Decision> decisions = deployment.awaitDecisions(count);
    assertEquals(SpecParser.parse(SPEC).hash(), decisions.get(count - 1).specHash());
  }

  private void sendAll(TestDeployment deployment) {
    goodContexts(deployment, "good", GOOD_BEFORE);
    deployment.send(
        deployment.topics.rewards(),
        PoisonRecord.SEGMENT,
        PoisonRecord.reward("good5", PoisonRecord.SEGMENT, now, 0.5));
    List<PoisonRecord> all = new ArrayList<>(contexts);
    all.addAll(rewards);
    for (PoisonRecord poisonRecord : all) {
      String topic =
          poisonRecord.isContext() ? deployment.topics.contexts() : deployment.topics.rewards();
      RecordMetadata sent =
          deployment.send(
              new ProducerRecord<>(topic, poisonRecord.keyBytes(), poisonRecord.value()));
      swallowed.put(new Source(topic, sent.partition(), sent.offset()), poisonRecord);
    }
  }

  private void goodContexts(TestDeployment deployment, String prefix, int count) {
    for (int i = 0; i < count; i++) {
      deployment.context(PoisonRecord.SEGMENT, prefix + i, now, PERSON);
    }
  }

  private void assertDeadLetters(TestDeployment deployment) {
    Map<Source, DeadLetter> letters = new HashMap<>();
    for (DeadLetter letter : deployment.deadLetters()) {
      Source origin = letter.source();
      assertNull(letters.put(origin, letter), () -> "twice: " + letter);
      assertTrue(swallowed.containsKey(origin), () -> "not a pill: " + letter);
    }
    swallowed.forEach(
        (place, poisonRecord) -> {
          DeadLetter letter = letters.get(place);
          assertTrue(letter != null, () -> "no letter of " + place + ", " + poisonRecord.code());
          assertEquals(poisonRecord.code().name(), letter.code(), letter.message());
          assertArrayEquals(poisonRecord.value(), letter.input().value());
          assertArrayEquals(poisonRecord.keyBytes(), letter.input().key());
        });
  }

  private void assertAnswers(TestDeployment deployment, long count) {
    Map<String, Decision> answers = new HashMap<>();
    Map<String, Decision> repeated = new HashMap<>();
    for (Decision decision : deployment.decisions()) {
      if (decision.isRepeated()) {
        repeated.put(decision.decisionId(), decision);
      } else {
        assertNull(answers.put(decision.decisionId(), decision), decision.decisionId());
      }
    }
    repeated.forEach((id, again) -> assertEquals(answers.get(id).arm(), again.arm(), id));
    assertEquals(count, answers.size());
    for (PoisonRecord poisonRecord : contexts) {
      ErrorCode expected = poisonRecord.answer();
      if (expected != null) {
        Decision answer = answers.remove(poisonRecord.decisionId());
        assertEquals(DecisionReason.REJECTED, answer.reason());
        assertEquals(expected.name(), answer.errorCode());
        boolean isCovered = expected != ErrorCode.UNKNOWN_SEGMENT;
        assertEquals(isCovered ? "A=right" : null, answer.arm(), "the fallback arm");
      }
    }
    assertTrue(
        answers.values().stream().noneMatch(good -> good.reason() == DecisionReason.REJECTED));
  }

  private long answerable() {
    return contexts.stream().filter(poisonRecord -> poisonRecord.answer() != null).count();
  }

  private static long undecodable(List<PoisonRecord> pills) {
    return pills.stream().filter(poisonRecord -> UNDECODABLE.contains(poisonRecord.code())).count();
  }

  private static long unknown(List<PoisonRecord> pills) {
    return pills.stream()
        .filter(poisonRecord -> poisonRecord.code() == ErrorCode.UNKNOWN_SEGMENT)
        .count();
  }

  /** Returns the newest snapshot of each segment; a segment's come in order. */
  private static Collection<SegmentMetrics> last(List<SegmentMetrics> all) {
    Map<String, SegmentMetrics> last = new TreeMap<>();
    all.forEach(metrics -> last.put(metrics.segment(), metrics));
    return last.values();
  }

  private static long sum(ContextLedger ledger) {
    return ledger.decided()
        + ledger.rejected()
        + ledger.deadlineExceeded()
        + ledger.duplicate()
        + ledger.conflicting();
  }

  private static long sum(DecisionLedger ledger) {
    return ledger.awaiting()
        + ledger.settled()
        + ledger.timedOut()
        + ledger.evicted()
        + ledger.closedNotLearnable();
  }

  private static long sum(RewardLedger ledger) {
    return ledger.applied()
        + ledger.buffered()
        + ledger.heldEarly()
        + ledger.duplicate()
        + ledger.conflicting()
        + ledger.late()
        + ledger.orphan()
        + ledger.notLearnable()
        + ledger.invalid();
  }
}
