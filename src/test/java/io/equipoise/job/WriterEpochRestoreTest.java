package io.equipoise.job;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.job.SegmentHarness.Backend;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.SegmentLimits;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.privacy.RedactionKey;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.segment.TestSpecs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operator under at-least-once delivery, restored between an answer and a checkpoint. */
@SuppressWarnings("try") // closing a harness is interruptible
class WriterEpochRestoreTest {
  private static final int MAX_PARALLELISM = SegmentHarness.MAX_PARALLELISM;
  private static final MemorySize MEMORY = MemorySize.ofMebiBytes(1);
  private static final long ORIGIN = SegmentHarness.ORIGIN;
  private static final String SPEC =
      TestSpecs.text(
          "ucb, ties: seeded",
          1,
          "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
          "{range: [0, 1]}",
          "reject");

  private static final Topics TOPICS = new Topics("harness");

  private static final String TWO_ARMS = "arms: [{id: one, A: left}, {id: two, A: right}]";
  private static final String THREE_ARMS = TWO_ARMS.replace("]", ", {id: three, A: left}]");
  private static final List<SpecText> SPECS = List.of(spec(1, TWO_ARMS));

  @TempDir private Path directory;
  private final MemoryDecisions log = new MemoryDecisions();

  @Test
  void anAnswerThatNoCheckpointHoldsIsGivenAgainAndLearnedFrom() throws Exception {
    OperatorSubtaskState state;
    Map<String, Decision> given;
    try (SegmentHarness first = started(null)) {
      first.processElement(context("s1", 0), 0);
      state = first.snapshot(1, 1);
      for (int i = 1; i < 6; i++) {
        first.processElement(context("s1", i), 0);
      }
      log.takeFrom(first);
      given = byId(first.decisions());
    }
    assertTrue(log.isClosed);
    try (SegmentHarness second = started(state)) {
      second.processElement(reward("s1", 0, 1), 0); // the first attempt had not seen it yet
      for (int i = 1; i < 6; i++) {
        second.processElement(context("s1", i), 0);
        second.processElement(reward("s1", i, i % 2), 0);
      }
      List<Decision> again = second.decisions();
      assertEquals(5, again.size());
      long seq = 2;
      for (Decision decision : again) {
        assertGivenAgain(given.get(decision.decisionId()), decision);
        assertEquals(2, decision.writerEpoch());
        seq += 2;
        assertEquals(seq, decision.seq());
      }
      second.processElement(context("s1", 6), 0);
      Decision fresh = second.decisions().get(5);
      assertFalse(fresh.recovered());
      assertEquals(6, second.segmentEvents().size()); // the rewards
    }
  }

  /**
   * Event time is earlier again than when the first attempt passivated one segment and made room
   * for another.
   */
  @Test
  void aSegmentThatHadRoomHasItAgain() throws Exception {
    String text = SPEC + "idle-state: {after: 300s, retain: model}\n";
    List<SpecText> specs = List.of(TestControls.spec(TestSpecs.compiled(text).spec().key(), text));
    SegmentLimits one = new SegmentLimits(1, 100);
    RecoverySettings earlier = new RecoverySettings(() -> log, MEMORY);
    OperatorSubtaskState state;
    Map<String, Decision> given;
    try (SegmentHarness first = new SegmentHarness(specs, one, earlier)) {
      first.start(null);
      first.processBroadcastWatermark(Long.MAX_VALUE);
      first.processElement(context("s1", 0), 0);
      state = first.snapshot(1, 1);
      first.processElement(context("s2", 1), 0);
      first.processWatermark(ORIGIN + 1_000_000);
      first.processElement(context("s2", 2), 0);
      log.takeFrom(first);
      given = byId(first.decisions());
    }
    assertEquals(ErrorCode.TOO_MANY_SEGMENTS.name(), requireNonNull(given.get("d1")).errorCode());
    try (SegmentHarness second = new SegmentHarness(specs, one, earlier)) {
      second.start(state);
      second.processElement(reward("s2", 2, 1), 0);
      second.processElement(context("s2", 1), 0);
      second.processElement(context("s2", 2), 0);
      second.processElement(context("s3", 3), 0);
      List<Decision> again = second.decisions();
      assertGivenAgain(requireNonNull(given.get("d2")), again.get(1));
      assertEquals(ErrorCode.TOO_MANY_SEGMENTS.name(), again.get(2).errorCode());
      assertTrue(second.kinds().contains(SegmentEventType.REWARD_APPLIED));
      assertEquals(2, second.deadLetters(ErrorCode.TOO_MANY_SEGMENTS.name()), "of d1 and of s3");
    }
  }

  /** The watermark may pass the end of the dedup window before the context comes again, or not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachDecisionOfAnIdIsGivenAgainToItsContext(boolean isForgottenAgain) throws Exception {
    OperatorSubtaskState state;
    List<Decision> given;
    try (SegmentHarness first = started(null)) {
      first.processBroadcastWatermark(Long.MAX_VALUE);
      first.processElement(context("s1", 0), 0);
      state = first.snapshot(1, 1);
      first.processElement(context("s1", 1), 0);
      first.processElement(reward("s1", 1, 0), 0);
      first.processWatermark(ORIGIN + 900_000);
      first.processElement(context("s1", 1001, 1, "d1"), 0);
      log.takeFrom(first);
      given = first.decisions().subList(1, 3);
      assertNotEquals(given.get(0).arm(), given.get(1).arm());
    }
    try (SegmentHarness second = started(state)) {
      second.processBroadcastWatermark(Long.MAX_VALUE);
      second.processElement(context("s1", 1), 0);
      if (isForgottenAgain) {
        second.processWatermark(ORIGIN + 900_000);
      }
      second.processElement(context("s1", 1001, 1, "d1"), 0);
      second.processElement(context("s1", 1003, 9, "d1"), 0);
      assertGivenAgain(given.get(0), second.decisions().get(0));
      assertGivenAgain(given.get(1), second.decisions().get(1));
      assertTrue(second.decisions().get(2).isRepeated());
      assertEquals(given.get(1).arm(), second.decisions().get(2).arm());
      assertEquals(
          isForgottenAgain
              ? List.of(SegmentEventType.REWARD_TIMEOUT, SegmentEventType.REWARD_TIMEOUT)
              : List.of(SegmentEventType.DECISION_EVICTED, SegmentEventType.DEDUP_ENTRY_EVICTED),
          second.kinds());
    }
  }

  @Test
  void aRepeatedContextThatComesFirstLeavesTheDecisionToTheFirstOne() throws Exception {
    Decision given;
    try (SegmentHarness first = started(null)) {
      first.processElement(context("s1", 1), 0);
      first.processElement(context("s1", 7, 9, "d1"), 0);
      log.takeFrom(first);
      given = first.decisions().get(0);
    }
    try (SegmentHarness second = started(null)) {
      second.processBroadcastWatermark(Long.MAX_VALUE);
      second.processElement(context("s1", 7, 9, "d1"), 0);
      second.processElement(reward("s1", 1, 0), 0);
      second.processWatermark(ORIGIN + 900_000);
      second.processElement(context("s1", 1), 0);
      second.decisions().forEach(again -> assertGivenAgain(given, again));
      assertEquals(2, second.decisions().size());
    }
  }

  /**
   * A start reads all specs before the contexts come again. Under a spec with other arms, these
   * answers could not be learned from.
   */
  @Test
  void aSegmentRunsUnderTheSpecsThatItsAnswersNameUntilTheLastIsGivenAgain() throws Exception {
    SpecText first = SPECS.get(0);
    SpecText second = spec(2, THREE_ARMS);
    SpecText third = spec(3, THREE_ARMS.replace("id: three", "id: four"));
    OperatorSubtaskState state;
    Map<String, Decision> given;
    try (SegmentHarness before = started(null)) {
      before.processElement(context("s1", 0), 0);
      state = before.snapshot(1, 1);
      before.processElement(context("s2", 10), 0); // without any state in the checkpoint
      for (int i = 1; i < 7; i++) {
        if (i == 4) {
          before.processBroadcastElement(second, 0);
        }
        before.processElement(context("s1", i), 0);
      }
      before.processBroadcastElement(third, 0);
      log.takeFrom(before);
      given = byId(before.decisions());
    }
    try (SegmentHarness after = harness(List.of(first, second, third))) {
      after.start(state);
      after.processElement(reward("s1", 0, 1), 0);
      after.processElement(reward("s2", 10, 1), 0); // before its context
      after.processElement(context("s1", 20, 9), 0); // was not answered before
      after.processElement(context("s2", 10), 0);
      for (int i = 1; i < 7; i++) {
        after.processElement(context("s1", i), 0);
        after.processElement(reward("s1", i, 1), 0);
      }
      after.processElement(context("s1", 21), 0);
      after.processElement(context("s2", 22), 0);
      for (Decision again : after.decisions()) {
        Decision former = given.get(again.decisionId());
        String id = again.decisionId();
        if (former != null) {
          assertGivenAgain(former, again);
          assertEquals(former.specVersion(), again.specVersion(), id);
        } else {
          assertEquals(id.equals("d20") ? 1 : 3, again.specVersion(), id);
        }
      }
      assertEquals(
          8, after.kinds().stream().filter(SegmentEventType.REWARD_APPLIED::equals).count());
    }
  }

  /** Contexts of two partitions may come in another order; a segment goes back to no older spec. */
  @Test
  void anAnswerUnderAnOlderSpecThanTheSegmentHasKeepsItsArm() throws Exception {
    SpecText second = spec(2, THREE_ARMS);
    Decision early;
    try (SegmentHarness before = started(null)) {
      before.processElement(context("s1", 1), 0);
      before.processBroadcastElement(second, 0);
      before.processElement(context("s1", 2, 9), 0);
      log.takeFrom(before);
      early = before.decisions().get(0);
    }
    try (SegmentHarness after = harness(List.of(SPECS.get(0), second))) {
      after.start(null);
      after.processElement(context("s1", 2, 9), 0);
      after.processElement(context("s1", 1), 0);
      assertEquals(2, after.decisions().get(0).specVersion());
      assertTrue(after.decisions().get(0).isChosen());
      Decision late = after.decisions().get(1);
      assertEquals(early.arm(), late.arm());
      assertEquals("MODEL_CHANGED", late.errorCode());
      assertEquals(1, after.kinds().size(), "one spec adopted");
    }
  }

  /** A retired spec is learned from where it had decided; the topic may have lost its text. */
  @Test
  void answersUnderARetiredSpecAreLearnedFromAsLongAsItsTextIsKnown() throws Exception {
    Map<String, Decision> given;
    try (SegmentHarness before = started(null)) {
      before.processElement(context("s1", 0), 0);
      before.processElement(context("s1", 1), 0);
      log.takeFrom(before);
      given = byId(before.decisions());
    }
    SpecText retirement = TestControls.spec(SPECS.get(0).key(), null);
    try (SegmentHarness after = harness(List.of(SPECS.get(0), retirement))) {
      after.start(null);
      for (int i = 0; i < 2; i++) {
        after.processElement(context("s1", i), 0);
        assertGivenAgain(given.get("d" + i), after.decisions().get(i));
        assertTrue(after.decisions().get(i).isChosen());
      }
      after.processElement(context("s2", 2), 0);
      assertEquals("UNKNOWN_SEGMENT", after.decisions().get(2).errorCode());
    }
    try (SegmentHarness without = harness(List.of(retirement))) {
      without.start(null);
      without.processElement(context("s1", 0), 0);
      assertEquals("UNKNOWN_SEGMENT", without.decisions().get(0).errorCode());
      assertEquals(given.get("d0").arm(), without.decisions().get(0).arm());
    }
  }

  @Test
  void answersThatWaitForTheirContextOutlastAnotherRestoreAndARescale() throws Exception {
    OperatorSubtaskState state;
    Map<String, Decision> given;
    try (SegmentHarness first = started(null)) {
      state = first.snapshot(1, 1);
      for (int i = 0; i < 12; i++) {
        first.processElement(context("s" + i % 4, i), 0);
      }
      log.takeFrom(first);
      given = byId(first.decisions());
    }
    int records = log.records.size();
    OperatorSubtaskState later;
    List<Decision> again = new ArrayList<>();
    try (SegmentHarness second = started(state)) {
      second.snapshot(2, 2); // asks where the topic ends
      for (int i = 0; i < 3; i++) {
        second.processElement(context("s" + i % 4, i), 0);
      }
      later = second.snapshot(3, 3);
      again.addAll(second.decisions());
      log.takeFrom(second);
    }
    assertEquals(records + 4, log.records.size()); // a marker and three answers
    try (SegmentHarness left = harness(2, 0);
        SegmentHarness right = harness(2, 1)) {
      left.start(SegmentHarness.repartitionOperatorState(later, MAX_PARALLELISM, 1, 2, 0));
      right.start(SegmentHarness.repartitionOperatorState(later, MAX_PARALLELISM, 1, 2, 1));
      for (int segment = 3; segment >= 0; segment--) {
        SegmentHarness owner = left.owns("s" + segment) ? left : right;
        for (int i = segment == 3 ? 3 : segment + 4; i < 12; i += 4) {
          owner.processElement(context("s" + segment, i), 0);
        }
      }
      again.addAll(left.decisions());
      again.addAll(right.decisions());
      later =
          AbstractStreamOperatorTestHarness.repackageState(
              left.snapshot(4, 4), right.snapshot(4, 4));
    }
    assertEquals(12, again.size());
    again.forEach(decision -> assertGivenAgain(given.get(decision.decisionId()), decision));
    try (SegmentHarness third = harness(1, 0)) {
      third.start(SegmentHarness.repartitionOperatorState(later, MAX_PARALLELISM, 2, 1, 0));
      third.processElement(context("s1", 20), 0);
      assertEquals(4, third.decisions().get(0).writerEpoch());
    }
  }

  @Test
  void aStartWithoutAStateReadsWhatWasAnsweredBefore() throws Exception {
    Decision given;
    try (SegmentHarness first = started(null)) {
      first.processElement(context("s1", 0), 0);
      log.takeFrom(first);
      given = first.decisions().get(0);
    }
    try (SegmentHarness second = started(null)) {
      second.processElement(context("s1", 0), 0);
      assertGivenAgain(given, second.decisions().get(0));
      assertEquals(2, second.decisions().get(0).writerEpoch());
    }
  }

  @Test
  void aStartThatMayNotHoldAllGoesOnFromTheSameCheckpointWithMoreMemory() throws Exception {
    OperatorSubtaskState state;
    Map<String, Decision> given;
    try (SegmentHarness first = started(null)) {
      first.processElement(context("s1", 0), 0);
      state = first.snapshot(1, 1);
      for (int i = 1; i < 6; i++) {
        first.processElement(context("s1", i), 0);
      }
      log.takeFrom(first);
      given = byId(first.decisions());
    }
    for (int restart = 0; restart < 3; restart++) {
      try (SegmentHarness second = harness(1, 0, new MemorySize(2_000))) {
        IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> rethrown(() -> second.start(state)));
        String told = String.valueOf(refused.getMessage());
        assertTrue(told.contains("equipoise.recovery.max-memory (2000 bytes)"), told);
      }
    }
    try (SegmentHarness third = harness(1, 0, new MemorySize(10_000))) {
      third.start(state);
      for (int i = 1; i < 6; i++) {
        third.processElement(context("s1", i), 0);
      }
      assertEquals(5, third.decisions().size());
      third.decisions().forEach(again -> assertGivenAgain(given.get(again.decisionId()), again));
    }
  }

  /** Their contexts do not arrive again, so their segment must not wait for them. */
  @Test
  void answersWhoseContextsRetentionHasRemovedAreReportedAsLost() throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness first = retained(0, false)) {
      first.start(null);
      first.processElement(context("s1", 0), 0);
      state = first.snapshot(1, 1);
      for (int i = 1; i < 6; i++) {
        first.processElement(context("s1", i), 0);
      }
      log.takeFrom(first);
    }
    try (SegmentHarness strict = retained(4, true)) {
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> rethrown(() -> strict.start(state)));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.contains("3 published decisions are lost, by segment {s1=3}"), message);
    }
    try (SegmentHarness second = retained(4, false)) {
      List<String> said = Said.by(SubtaskLog.class, () -> second.start(state));
      assertEquals(1, said.size(), said.toString());
      second.processElement(context("s1", 4), 0);
      second.processElement(context("s1", 5), 0);
      assertTrue(second.decisions().stream().allMatch(Decision::recovered));
      assertEquals(2, second.decisions().size());
    }
  }

  /** Makes one whose contexts of s1 begin at an offset. */
  private SegmentHarness retained(long begin, boolean failsOnLoss) throws Exception {
    TopicPartition ofS1 = new TopicPartition(TOPICS.contexts(), 1);
    InputTopics inputs =
        new InputTopics(Map.of(TOPICS.contexts(), "id"), Map.of(ofS1, begin), Map.of(ofS1, 6L));
    StartConditions conditions =
        new StartConditions(
            TOPICS,
            () -> {},
            false,
            false,
            failsOnLoss,
            () -> inputs,
            Delivery.AT_LEAST_ONCE,
            () -> new MemoryTopics(TOPICS));
    return new SegmentHarness(SPECS, conditions, new RecoverySettings(() -> log, MEMORY));
  }

  @Test
  void aWriterEpochThatIsOverFindsOutAtItsNextCheckpoint() throws Exception {
    try (SegmentHarness first = started(null)) {
      first.snapshot(1, 1);
      log.append(new WriterEpochMarker(2, 100, 127));
      WriterEpochEndedException over =
          assertThrows(WriterEpochEndedException.class, () -> rethrown(() -> first.snapshot(2, 2)));
      assertTrue(String.valueOf(over.getMessage()).contains("writerEpoch=1"), over.getMessage());
    }
  }

  @Test
  void exactlyOnceRefusesAStateOfTheOtherDelivery() throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness first = started(null)) {
      state = first.snapshot(1, 1);
    }
    try (SegmentHarness other = new SegmentHarness(Backend.HASHMAP, 1, 0, SPECS)) {
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> rethrown(() -> other.start(state)));
      assertTrue(String.valueOf(refused.getMessage()).contains("at-least-once"));
    }
  }

  @Test
  void aStateOfExactlyOnceGoesOnAtTheEndOfTheTopic() throws Exception {
    OperatorSubtaskState state = exactlyOnce();
    try (SegmentHarness second = started(state)) {
      second.processElement(context("s1", 0), 0); // known
      second.processElement(context("s1", 1), 0);
      assertTrue(second.decisions().get(0).isRepeated());
      Decision decision = second.decisions().get(1);
      assertEquals(3, decision.seq());
      assertEquals(1, decision.writerEpoch());
      assertFalse(decision.recovered());
    }
  }

  /** A failure before the first checkpoint after the switch restores the same state again. */
  @Test
  void aSecondStartFromAStateOfExactlyOnceGivesTheAnswersOfTheFirstAgain() throws Exception {
    OperatorSubtaskState state = exactlyOnce();
    Map<String, Decision> given;
    try (SegmentHarness first = started(state)) {
      for (int i = 1; i < 6; i++) {
        first.processElement(context("s1", i), 0);
      }
      log.takeFrom(first);
      given = byId(first.decisions());
    }
    try (SegmentHarness second = started(state)) {
      for (int i = 1; i < 6; i++) {
        second.processElement(context("s1", i), 0);
      }
      List<Decision> again = second.decisions();
      assertEquals(5, again.size());
      for (Decision decision : again) {
        assertGivenAgain(given.get(decision.decisionId()), decision);
        assertEquals(2, decision.writerEpoch());
      }
    }
  }

  /** As after a change of key, or from token to plain. */
  @Test
  void anAnswerThatCannotBeOpenedKeepsItsArmAndIsNotLearnedFrom() throws Exception {
    byte[] secret = "thirty-two bytes of a dear secret".getBytes(StandardCharsets.UTF_8);
    Path file =
        Files.writeString(directory.resolve("key"), Base64.getEncoder().encodeToString(secret));
    Redactor hiding =
        new Redactor(SensitiveValues.PSEUDONYMIZE, RedactionKey.read(file), 1, hash -> null);
    OperatorSubtaskState state;
    Map<String, Decision> given;
    try (SegmentHarness first = started(null)) {
      first.processElement(context("s1", 0), 0);
      first.processElement(context("s2", 0), 0);
      state = first.snapshot(1, 1);
      for (int i = 1; i < 6; i++) {
        first.processElement(context("s1", i), 0);
      }
      given = byId(first.decisions());
      given.values().forEach(plain -> log.add(hiding.of(plain)));
    }
    OperatorSubtaskState later;
    try (SegmentHarness second = started(state)) {
      second.processElement(context("s1", 0), 0); // known
      second.processElement(context("s1", 1), 0);
      second.processElement(context("s1", 2), 0);
      assertTrue(second.decisions().get(0).isRepeated());
      assertKeepsItsArm(given, second.decisions().subList(1, 3), 2);
      later = second.snapshot(2, 2); // three stand, as they are
    }
    try (SegmentHarness third = started(later)) {
      for (int i = 3; i < 7; i++) {
        third.processElement(context("s1", i), 0);
        third.processElement(reward("s1", i, 1), 0);
      }
      assertKeepsItsArm(given, third.decisions().subList(0, 3), 3);
      assertEquals("d6", third.decisions().get(3).decisionId());
      assertFalse(third.decisions().get(3).recovered());
      assertEquals(
          1, third.kinds().stream().filter(SegmentEventType.REWARD_APPLIED::equals).count());
    }
  }

  private static void assertKeepsItsArm(
      Map<String, Decision> given, List<Decision> again, int count) {
    assertEquals(count, again.size());
    for (Decision decision : again) {
      assertEquals(requireNonNull(given.get(decision.decisionId())).arm(), decision.arm());
      assertEquals(DecisionReason.REJECTED, decision.reason());
      assertEquals(ErrorCode.MODEL_CHANGED.name(), decision.errorCode());
      assertTrue(decision.recovered());
    }
  }

  /** Returns a state of exactly-once delivery that has answered one context of s1. */
  private OperatorSubtaskState exactlyOnce() throws Exception {
    try (SegmentHarness first = new SegmentHarness(Backend.HASHMAP, 1, 0, SPECS)) {
      first.start(null);
      first.processElement(context("s1", 0), 0);
      OperatorSubtaskState state = first.snapshot(1, 1);
      log.takeFrom(first);
      return state;
    }
  }

  private static SpecText spec(int version, String arms) {
    String text = SPEC.replace("version: 1", "version: " + version).replace("arms: all", arms);
    return TestControls.spec(TestSpecs.compiled(text).spec().key(), text);
  }

  private static void assertGivenAgain(Decision given, Decision again) {
    assertEquals(given.arm(), again.arm());
    assertEquals(given.propensities(), again.propensities());
    assertEquals(given.features(), again.features());
    assertEquals(given.index(), again.index());
    assertEquals(given.keyGroup(), again.keyGroup());
    assertTrue(again.recovered());
  }

  private static Map<String, Decision> byId(List<Decision> decisions) {
    Map<String, Decision> byId = new HashMap<>();
    decisions.forEach(decision -> byId.put(decision.decisionId(), decision));
    return byId;
  }

  private SegmentHarness started(@Nullable OperatorSubtaskState state) throws Exception {
    SegmentHarness harness = harness(1, 0);
    harness.start(state);
    return harness;
  }

  private SegmentHarness harness(int parallelism, int subtask) throws Exception {
    return harness(parallelism, subtask, MEMORY);
  }

  private SegmentHarness harness(int parallelism, int subtask, MemorySize memory) throws Exception {
    RecoverySettings earlier = new RecoverySettings(() -> log, memory);
    return new SegmentHarness(Backend.HASHMAP, parallelism, subtask, SPECS, earlier);
  }

  private SegmentHarness harness(List<SpecText> specs) throws Exception {
    RecoverySettings earlier = new RecoverySettings(() -> log, MEMORY);
    return new SegmentHarness(Backend.HASHMAP, 1, 0, specs, earlier);
  }

  /** Flink may wrap what a function throws. */
  private static void rethrown(Executable step) throws Throwable {
    try {
      step.execute();
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw cause;
    }
  }

  /** Each segment's contexts are in a partition of their own. */
  private static ContextEvent context(String segment, int number) {
    return context(segment, number, segment.charAt(1) - '0');
  }

  private static ContextEvent context(String segment, int number, int partition) {
    return context(segment, number, partition, "d" + number);
  }

  private static ContextEvent context(String segment, int number, int partition, String id) {
    return new ContextEvent(
        id,
        segment,
        ORIGIN + 1000L * number,
        Map.of("S", number % 2 == 0 ? "a" : "b", "X", number % 3 == 0 ? "low" : "high"),
        null,
        null,
        new Origin(TOPICS.contexts(), partition, number, ORIGIN + 1000L * number),
        id.getBytes(StandardCharsets.UTF_8));
  }

  private static RewardEvent reward(String segment, int number, double value) {
    return new RewardEvent(
        "d" + number,
        null,
        segment,
        ORIGIN + 1000L * number,
        value,
        Map.of(),
        null,
        new Origin("rewards", 0, number, ORIGIN + 1000L * number),
        new byte[] {(byte) number});
  }
}
