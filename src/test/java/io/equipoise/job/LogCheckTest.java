package io.equipoise.job;

import static io.equipoise.job.SegmentHarness.ORIGIN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.TestSpecs;
import io.equipoise.state.WrittenState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts from checkpoints with which the topics agree, and with which they do not. */
@SuppressWarnings("try") // closing a harness is interruptible
class LogCheckTest {
  private static final Topics TOPICS = new Topics("shop");
  private static final List<String> SEGMENTS = List.of("s0", "s1", "s2", "s3", "s4");

  private final MemoryTopics log = new MemoryTopics(TOPICS);
  private int sent;
  private int committed;

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theNewestCheckpointIsNeverRefused(int parallelism) throws Exception {
    try (SegmentHarness harness = harness(TOPICS, false, true)) {
      harness.start(null);
      for (int checkpoint = 1; checkpoint <= 12; checkpoint++) {
        for (int i = 0; i < checkpoint % 4; i++) {
          decide(harness, "s" + (checkpoint + i) % 5);
          if (i % 2 == 1) {
            learn(harness, "s" + (checkpoint + i) % 5);
          }
        }
        OperatorSubtaskState newest = harness.snapshot(checkpoint, checkpoint);
        if (checkpoint % 5 != 3) { // else it fails, and the next one commits its transaction too
          commit(harness);
          harness.notifyOfCompletedCheckpoint(checkpoint);
          assertStarts(newest, parallelism);
        }
      }
    }
  }

  private void assertStarts(OperatorSubtaskState state, int parallelism) throws Exception {
    for (int subtask = 0; subtask < parallelism; subtask++) {
      try (SegmentHarness after =
          new SegmentHarness(parallelism, subtask, specs(), continuity(TOPICS, false, true, log))) {
        after.start(
            SegmentHarness.repartitionOperatorState(
                state, SegmentHarness.MAX_PARALLELISM, 1, parallelism, subtask));
        OperatorSubtaskState next = after.snapshot(100, 100); // without any input in between
        try (SegmentHarness again =
            new SegmentHarness(
                parallelism, subtask, specs(), continuity(TOPICS, false, true, log))) {
          again.start(next);
        }
      }
    }
  }

  @Test
  void aCheckpointThatTheTopicsAreAheadOfIsRefusedUnlessThatIsAccepted() throws Exception {
    OperatorSubtaskState older;
    try (SegmentHarness harness = harness(TOPICS, false, false)) {
      harness.start(null);
      SEGMENTS.forEach(segment -> decide(harness, segment));
      older = checkpoint(harness, 1);
      checkpoint(harness, 2);
      checkpoint(harness, 3);
      decide(harness, "s3");
      checkpoint(harness, 4);
    }
    String told = refused(older, false);
    assertTrue(told.contains("offset 5 has seq 3 of segment s3"), told);
    try (SegmentHarness accepted = harness(TOPICS, true, true)) {
      accepted.start(older);
    }
  }

  /** A segment that wrote nothing near the checkpoint is known by what the state has read. */
  @Test
  void aRewardThatTheStateHasNotReadIsSeenToo() throws Exception {
    OperatorSubtaskState older;
    try (SegmentHarness harness = harness(TOPICS, false, false)) {
      harness.start(null);
      decide(harness, "s1");
      checkpoint(harness, 1);
      checkpoint(harness, 2);
      older = checkpoint(harness, 3);
      learn(harness, "s1");
      checkpoint(harness, 4);
    }
    String told = refused(older, false);
    assertTrue(told.contains("shop.segment-events"), told);
  }

  @Test
  void recordsThatTheTopicsLackAreNamedAndRefusedWhereThatIsAsked() throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness harness = harness(TOPICS, false, false)) {
      harness.start(null);
      SEGMENTS.forEach(segment -> decide(harness, segment));
      checkpoint(harness, 1);
      decide(harness, "s1");
      decide(harness, "s1");
      decide(harness, "s4");
      committed = harness.extractOutputValues().size(); // the brokers end the transaction
      harness.snapshot(2, 2);
      decide(harness, "s2");
      state = checkpoint(harness, 3);
    }
    String told = refused(state, true);
    assertTrue(told.startsWith("The start is refused:\n  3 records"), told);
    try (SegmentHarness after = harness(TOPICS, false, false)) {
      after.start(state);
      decide(after, "s1");
      OperatorSubtaskState later = after.snapshot(4, 4);
      committed = 0;
      commit(after);
      try (SegmentHarness afterwards = harness(TOPICS, false, true)) {
        afterwards.start(later); // what is lost is told once
      }
    }
  }

  @Test
  void recordsThatRetentionHasRemovedAreNotLost() throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness harness = harness(TOPICS, false, false)) {
      harness.start(null);
      SEGMENTS.forEach(segment -> decide(harness, segment));
      checkpoint(harness, 1);
      decide(harness, "s1");
      decide(harness, "s4");
      state = checkpoint(harness, 2);
    }
    log.remove();
    List<String> said =
        Said.by(
            LogCheck.class,
            () -> {
              try (SegmentHarness after = harness(TOPICS, false, true)) {
                after.start(state);
              }
            });
    assertEquals(1, said.size(), said.toString());
    assertTrue(said.get(0).startsWith("WARN "), said.get(0));
    assertTrue(
        said.get(0).contains("were removed by retention and cannot be checked"), said.get(0));
  }

  /** With two partitions, s0 has the key of partition 0, and s1 that of partition 1. */
  @Test
  void recordsOfAPartitionThatRetentionHasNotReachedAreLost() {
    List<WrittenState.Offset> ends = new ArrayList<>();
    for (String topic : List.of(TOPICS.decisions(), TOPICS.segmentEvents())) {
      ends.add(new WrittenState.Offset(topic, 0, 7));
      ends.add(new WrittenState.Offset(topic, 1, 7));
    }
    List<WrittenState> states =
        List.of(
            new WrittenState(
                "shop",
                List.of(),
                List.of(),
                ends,
                List.of(
                    new WrittenState.SeqRange("s0", 5, 6), new WrittenState.SeqRange("s1", 5, 7))));
    for (String topic : List.of(TOPICS.decisions(), TOPICS.segmentEvents())) {
      for (int partition = 0; partition < 2; partition++) {
        log.begins().clear();
        log.begins().put(new TopicPartition(topic, partition), 8L);
        LogCheck check =
            new LogCheck(
                TOPICS,
                states,
                InputsRead.begin(states, SegmentHarness.NO_INPUTS, false),
                segment -> true);
        assertEquals(partition == 0 ? 3 : 2, check.compare(log, false));
        assertEquals(
            partition == 0 ? "segment s1 seq 5 to 7" : "segment s0 seq 5 to 6", check.missing());
      }
    }
  }

  /** Decisions without a spec have seq 0, outside of every order, and leave no state. */
  @Test
  void decisionsWithoutAPlaceInTheOrderAreNotCompared() throws Exception {
    StartConditions startConditions = continuity(TOPICS, false, true, log);
    OperatorSubtaskState state;
    try (SegmentHarness harness = new SegmentHarness(1, 0, List.of(), startConditions)) {
      harness.start(null);
      decide(harness, "s1");
      state = checkpoint(harness, 1);
      decide(harness, "s1");
      checkpoint(harness, 2);
      assertEquals(2, harness.decisions().size());
      assertTrue(harness.decisions().stream().allMatch(decision -> decision.seq() == 0));
    }
    try (SegmentHarness after = new SegmentHarness(1, 0, List.of(), startConditions)) {
      after.start(state);
    }
  }

  @Test
  void whatIsLostIsNamedBySegmentAndSeq() {
    List<WrittenState> states =
        List.of(
            new WrittenState(
                "shop",
                List.of(),
                List.of(),
                List.of(),
                List.of(
                    new WrittenState.SeqRange("s1", 7, 9),
                    new WrittenState.SeqRange("s2", 1, 1),
                    new WrittenState.SeqRange("s3", 1, 1))));
    LogCheck check =
        new LogCheck(
            TOPICS,
            states,
            InputsRead.begin(states, SegmentHarness.NO_INPUTS, false),
            segment -> !segment.equals("s3"));
    assertEquals(4, check.compare(log, false));
    assertEquals("segment s1 seq 7 to 9; segment s2 seq 1", check.missing());
  }

  @Test
  void theStateOfAnotherDeploymentIsRefused() throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness harness = harness(TOPICS, false, false)) {
      harness.start(null);
      state = harness.snapshot(1, 1);
    }
    for (Delivery delivery : Delivery.values()) {
      Topics staging = new Topics("staging");
      StartConditions startConditions =
          continuity(staging, delivery, false, false, new MemoryTopics(staging));
      try (SegmentHarness other = new SegmentHarness(1, 0, specs(), startConditions)) {
        String told =
            String.valueOf(
                assertThrows(StartRefusedException.class, () -> other.start(state)).getMessage());
        assertTrue(
            told.contains("belongs to deployment shop, and equipoise.deployment is staging"), told);
      }
    }
  }

  private String refused(OperatorSubtaskState state, boolean failsOnLoss) throws Exception {
    try (SegmentHarness after = harness(TOPICS, false, failsOnLoss)) {
      return String.valueOf(
          assertThrows(StartRefusedException.class, () -> after.start(state)).getMessage());
    }
  }

  private SegmentHarness harness(Topics topics, boolean acceptsOlder, boolean failsOnLoss)
      throws Exception {
    return new SegmentHarness(1, 0, specs(), continuity(topics, acceptsOlder, failsOnLoss, log));
  }

  private static StartConditions continuity(
      Topics topics, boolean acceptsOlder, boolean failsOnLoss, MemoryTopics log) {
    return continuity(topics, Delivery.EXACTLY_ONCE, acceptsOlder, failsOnLoss, log);
  }

  private static StartConditions continuity(
      Topics topics,
      Delivery delivery,
      boolean acceptsOlder,
      boolean failsOnLoss,
      MemoryTopics log) {
    return new StartConditions(
        topics,
        () -> {},
        acceptsOlder,
        false,
        failsOnLoss,
        () -> SegmentHarness.NO_INPUTS,
        delivery,
        () -> log);
  }

  private static List<SpecText> specs() {
    var compiled = TestSpecs.compiled(TestSpecs.ucb()).spec();
    return List.of(TestControls.spec(compiled.key(), TestSpecs.ucb()));
  }

  private OperatorSubtaskState checkpoint(SegmentHarness harness, long id) throws Exception {
    OperatorSubtaskState state = harness.snapshot(id, id);
    commit(harness);
    harness.notifyOfCompletedCheckpoint(id);
    return state;
  }

  private void commit(SegmentHarness harness) {
    List<Emission> all = new ArrayList<>(harness.extractOutputValues());
    log.commit(all.subList(committed, all.size()));
    committed = all.size();
  }

  private void decide(SegmentHarness harness, String segment) {
    String id = segment + "-" + sent;
    long time = ORIGIN + sent;
    Origin origin = new Origin(TOPICS.contexts(), 0, sent++, time);
    byte[] raw = id.getBytes(StandardCharsets.UTF_8);
    Map<String, Object> person = Map.of("S", "a", "X", "low");
    process(
        () ->
            harness.processElement(
                new ContextEvent(id, segment, time, person, null, null, origin, raw), time));
  }

  /** Sends a reward for the newest decision of a segment. */
  private void learn(SegmentHarness harness, String segment) {
    String id =
        harness.decisions().stream()
            .filter(it -> it.segment().equals(segment))
            .reduce((one, other) -> other)
            .orElseThrow()
            .decisionId();
    long time = ORIGIN + sent;
    Origin origin = new Origin(TOPICS.rewards(), 0, sent++, time);
    byte[] raw = id.getBytes(StandardCharsets.UTF_8);
    process(
        () ->
            harness.processElement(
                new RewardEvent(id, null, segment, time, 0.5, Map.of(), null, origin, raw), time));
  }

  private static void process(Step input) {
    try {
      input.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private interface Step {
    void run() throws Exception;
  }
}
