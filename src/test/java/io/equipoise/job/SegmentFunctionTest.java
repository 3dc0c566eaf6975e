package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.job.control.Control;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.SegmentLimits;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.replay.ReplayOracle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs the operator in Flink's harness, on both state backends. */
@SuppressWarnings("try") // closing a harness is interruptible
class SegmentFunctionTest {
  /** With so many strata that those by M are in blocks of their own. */
  private static final String SPLIT =
      TestSpecs.ucb()
          .replace("[low, high]", "[low, high, other]")
          .replace("delta: 0.05}", "delta: 0.05, split: all}");

  private static final int MAX_PARALLELISM = SegmentHarness.MAX_PARALLELISM;
  private static final int SEGMENTS = 8;
  private static final int ROUNDS = 30;
  private static final long ORIGIN = SegmentHarness.ORIGIN;
  private static final int MOST = 100;
  private static final SegmentLimits FEW = new SegmentLimits(MOST, MOST);
  private static final long FAR = ORIGIN + 1_000_000_000L;

  @ParameterizedTest
  @EnumSource
  void aContextIsAnsweredAndItsRewardLearned(SegmentHarness.Backend backend) throws Exception {
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      harness.processElement(context("s1", "d1", 0), 0);
      List<Emission> answer = harness.extractOutputValues();
      assertEquals(
          List.of(LogTopic.SEGMENT_EVENTS, LogTopic.DECISIONS, LogTopic.AUDIT),
          answer.stream().map(Emission::output).toList());
      Decision decision = Wire.DECISION.decode(answer.get(1).value());
      assertEquals("d1", decision.decisionId());
      assertEquals(2, decision.seq());
      assertEquals("s1", new String(key(answer.get(1)), StandardCharsets.UTF_8));
      harness.processElement(reward("s1", "d1", 1, 0.5), 0);
      SegmentEvent applied = last(harness.segmentEvents());
      assertEquals(SegmentEventType.REWARD_APPLIED, applied.type());
      assertEquals(3, applied.seq());
      assertEquals(2L, applied.decisionSeq());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDecisionExpiresWhenTheWatermarkPassesItsWindow(SegmentHarness.Backend backend)
      throws Exception {
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      harness.processElement(context("s1", "d1", 0), 0);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(ORIGIN + 59_999);
      assertEquals(List.of(SegmentEventType.SPEC_ADOPTED), harness.kinds());
      harness.processWatermark(ORIGIN + 61_000);
      assertEquals(
          List.of(SegmentEventType.SPEC_ADOPTED, SegmentEventType.REWARD_TIMEOUT), harness.kinds());
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingButTheHeadIsLeftWhenEveryHorizonHasPassed(SegmentHarness.Backend backend)
      throws Exception {
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      feed(List.of(harness), 0, ROUNDS);
      harness.processElement(reward("s1", "nobody", 3, 0.5), 0);
      assertTrue(harness.numEventTimeTimers() > 0);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(FAR);
      assertEquals(0, harness.numEventTimeTimers());
      assertEquals(0, harness.keys("entries"));
      assertEquals(0, harness.keys("due-index"));
      assertEquals(SEGMENTS, harness.keys("header"));
    }
  }

  /** Those that are there stay after a restore and another parallelism. */
  @Test
  void aSegmentTooManyIsAnsweredAndLeavesADeadLetterAndNoState() throws Exception {
    List<String> names = IntStream.range(0, 400).mapToObj("s%d"::formatted).toList();
    OperatorSubtaskState state;
    List<Control> specs = List.of(spec(TestSpecs.ucb()));
    List<String> decided;
    try (SegmentHarness harness = new SegmentHarness(1, 0, specs, FEW)) {
      harness.start(null);
      for (String name : names) {
        harness.processElement(context(name, "d1", 0), 0);
      }
      decided = decided(harness);
      assertEquals(names.size(), harness.decisions().size(), "every context gets a decision");
      assertEquals(names.subList(0, MOST), decided);
      assertEquals(MOST, harness.keys("header"));
      assertEquals(names.size() - MOST, harness.deadLetters("TOO_MANY_SEGMENTS"));
      for (Decision decision : harness.decisions()) {
        if (!decision.isChosen()) {
          assertEquals(DecisionReason.REJECTED, decision.reason());
          assertEquals("TOO_MANY_SEGMENTS", decision.errorCode());
          assertTrue(SegmentWithoutSpec.isAnswer(decision));
        }
      }
      state = harness.snapshot(1, 1);
    }
    for (int subtask = 0; subtask < 2; subtask++) {
      OperatorSubtaskState part =
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              state, MAX_PARALLELISM, 1, 2, subtask);
      try (SegmentHarness harness = new SegmentHarness(2, subtask, specs, FEW)) {
        harness.start(part);
        for (String name : names) {
          if (harness.owns(name)) {
            harness.processElement(reward(name, "d1", 1, 0.5), 0);
            harness.processElement(context(name, "d2", 2), 0);
          }
        }
        List<String> had = decided.stream().filter(harness::owns).toList();
        assertTrue(decided(harness).containsAll(had), "had " + had);
        assertEquals(Math.max(MOST / 2, had.size()), decided(harness).size());
      }
    }
  }

  /** Else a job whose segments come once ends for new ones. */
  @ParameterizedTest
  @CsvSource({"model", "none"})
  void passivatedSegmentsMakeRoomForNewOnesAndReturnBesideThem(String keep) throws Exception {
    List<String> names = IntStream.range(0, 400).mapToObj("s%d"::formatted).toList();
    String text = TestSpecs.ucb() + "idle-state: {after: 300s, retain: " + keep + "}\n";
    SegmentLimits limits = new SegmentLimits(MOST, 400 * MOST);
    List<Control> specs = List.of(spec(text));
    OperatorSubtaskState state;
    long rested;
    try (SegmentHarness harness = new SegmentHarness(1, 0, specs, limits)) {
      harness.start(null);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      List<String> waiting = names;
      for (int round = 0; round < names.size() && !waiting.isEmpty(); round++) {
        for (String name : waiting) {
          harness.processElement(context(name, "d" + round, 1_000 * round), 0);
        }
        harness.processWatermark(ORIGIN + 1_000_000L * (round + 1));
        List<String> had = decided(harness);
        waiting = names.stream().filter(name -> !had.contains(name)).toList();
      }
      rested = harness.keys("passivated");
      assertEquals(names.size(), rested, "all had their turn");
      state = harness.snapshot(1, 1);
    }
    try (SegmentHarness harness = new SegmentHarness(1, 0, specs, limits)) {
      harness.start(state);
      for (String name : names) {
        harness.processElement(context(name, "again", 2_000_000_000), 0);
      }
      assertEquals(names, decided(harness), "who has a place in the log may always return");
      harness.processElement(context("new", "d", 2_000_000_000), 0);
      assertEquals("TOO_MANY_SEGMENTS", last(harness.decisions()).errorCode());
      assertTrue(MOST < names.size());
    }
  }

  /** A passivated segment is never dropped: its segment would begin at seq 1 again. */
  @Test
  void anIdleSegmentStaysActiveWhileThereIsNoRoomForItsStub() throws Exception {
    List<String> names = IntStream.range(0, 400).mapToObj("s%d"::formatted).toList();
    String text = TestSpecs.ucb() + "idle-state: {after: 300s, retain: none}\n";
    SegmentLimits limits = new SegmentLimits(Integer.MAX_VALUE, MOST);
    try (SegmentHarness harness = new SegmentHarness(1, 0, List.of(spec(text)), limits)) {
      harness.start(null);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      for (String name : names) {
        harness.processElement(context(name, "d1", 0), 0);
      }
      harness.processWatermark(ORIGIN + 1_000_000);
      assertEquals(MOST, harness.keys("passivated"));
      assertEquals(names.size() - MOST, harness.keys("header"));
      for (String name : names) {
        harness.processElement(context(name, "d2", 2_000), 0);
      }
      assertEquals(names.size(), harness.keys("header"));
      assertEquals(0, harness.deadLetters("TOO_MANY_SEGMENTS"));
      List<Long> seqs =
          harness.decisions().stream()
              .filter(decision -> decision.decisionId().equals("d2"))
              .map(Decision::seq)
              .distinct()
              .sorted()
              .toList();
      assertEquals(List.of(4L, 7L), seqs, "passivated, activated and the spec adopted again");
    }
  }

  /** Whoever was refused a rest looks again after the time of the rule. */
  @Test
  void anIdleSegmentRestsAsSoonAsTheTimeOfItsRuleHasPassedAgainAndThereIsRoom() throws Exception {
    List<String> pair = List.of("s1", "s2");
    String text = TestSpecs.ucb() + "idle-state: {after: 300s, retain: none}\n";
    SegmentLimits limits = new SegmentLimits(Integer.MAX_VALUE, 1);
    try (SegmentHarness harness = new SegmentHarness(1, 0, List.of(spec(text)), limits)) {
      harness.start(null);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      for (String name : pair) {
        harness.processElement(context(name, "d1", 0), 0);
      }
      harness.processWatermark(ORIGIN + 450_000);
      assertEquals(1, harness.keys("passivated"));
      SegmentEvent first = last(harness.segmentEvents());
      assertEquals(SegmentEventType.SEGMENT_PASSIVATED, first.type());
      harness.processElement(context(first.segment(), "d2", 450), 0);
      harness.processWatermark(ORIGIN + 700_000);
      SegmentEvent second = last(harness.segmentEvents());
      assertEquals(SegmentEventType.SEGMENT_PASSIVATED, second.type());
      assertNotEquals(first.segment(), second.segment());
    }
  }

  /** Returns names that Flink assigns to one key group with this one. */
  private static List<String> besides(String segment, int count) {
    int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(segment, MAX_PARALLELISM);
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj("s%d"::formatted)
        .filter(it -> keyGroup == KeyGroupRangeAssignment.assignToKeyGroup(it, MAX_PARALLELISM))
        .limit(count)
        .toList();
  }

  private static List<String> decided(SegmentHarness harness) {
    return harness.decisions().stream().filter(Decision::isChosen).map(Decision::segment).toList();
  }

  /** Whoever chooses names of one key group takes no more room from others than with any names. */
  @Test
  void namesOfOneKeyGroupLeaveRoomForEachOther() throws Exception {
    assertEquals(300, decided("names of one key group", besides("victim", 300), 1_000));
  }

  /** Names of one hash code are in one chain of the heap's table. */
  @Test
  void namesOfOneHashCodeBlockOnlyEachOther() throws Exception {
    int count = Tier.count(1_000, 8_000);
    List<String> equal =
        IntStream.range(0, count)
            .mapToObj(i -> "%13s".formatted(Integer.toBinaryString(i)))
            .map(bits -> bits.replace("1", "BB").replaceAll("[0 ]", "Aa"))
            .toList();
    assertEquals(1, equal.stream().mapToInt(String::hashCode).distinct().count());
    List<String> different = IntStream.range(0, count).mapToObj("%026d"::formatted).toList();
    int most = JobOptions.SEGMENTS_MOST.defaultValue();
    int kept = most / 128;
    assertEquals(count, decided("different names", different, Integer.MAX_VALUE));
    List<String> names = new ArrayList<>(equal);
    names.addAll(besides(equal.get(0), 10));
    assertEquals(kept + 10, decided("names of one hash code and 10 others", names, most));
    if (Tier.isFull()) {
      assertEquals(count, decided("names of one hash code, no limit", equal, Integer.MAX_VALUE));
    }
  }

  private static long decided(String what, List<String> names, int most) throws Exception {
    List<Control> specs = List.of(spec(TestSpecs.ucb()));
    try (SegmentHarness harness = new SegmentHarness(1, 0, specs, new SegmentLimits(most, most))) {
      harness.start(null);
      long start = System.nanoTime();
      for (String name : names) {
        harness.processElement(context(name, "d1", 0), 0);
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      Tier.found(SegmentFunctionTest.class, names.size() + " " + what, millis + " ms");
      return decided(harness).size();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRestoreInTheMiddleChangesNothing(SegmentHarness.Backend backend) throws Exception {
    List<Emission> without;
    try (SegmentHarness harness = started(backend, SPLIT)) {
      feed(List.of(harness), 0, ROUNDS);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(FAR);
      without = harness.extractOutputValues();
    }
    List<Emission> with = new ArrayList<>();
    OperatorSubtaskState state = null;
    for (int round = 0; round < ROUNDS; round += ROUNDS / 3) {
      try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, List.of(spec(SPLIT)))) {
        harness.start(state);
        feed(List.of(harness), round, round + ROUNDS / 3);
        state = harness.snapshot(round, round);
        if (round + ROUNDS / 3 == ROUNDS) {
          harness.processBroadcastWatermark(Long.MAX_VALUE);
          harness.processWatermark(FAR);
        }
        with.addAll(harness.extractOutputValues());
      }
    }
    assertEquals(bySegment(without), bySegment(with));
    assertTrue(hasSplit(with, 1), "no snapshot has a split");
    replay(with, SPLIT);
  }

  @ParameterizedTest
  @EnumSource
  void rescalingFromOneToTwoToOneKeepsEveryCount(SegmentHarness.Backend backend) throws Exception {
    List<Emission> without;
    try (SegmentHarness harness = started(backend, SPLIT)) {
      feed(List.of(harness), 0, ROUNDS);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(FAR);
      without = harness.extractOutputValues();
    }
    List<Emission> with = new ArrayList<>();
    List<SpecText> specs = List.of(spec(SPLIT));
    OperatorSubtaskState one;
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, specs)) {
      harness.start(null);
      feed(List.of(harness), 0, 10);
      one = harness.snapshot(1, 1);
      with.addAll(harness.extractOutputValues());
    }
    OperatorSubtaskState both;
    try (SegmentHarness left = new SegmentHarness(backend, 2, 0, specs);
        SegmentHarness right = new SegmentHarness(backend, 2, 1, specs)) {
      left.start(SegmentHarness.repartitionOperatorState(one, MAX_PARALLELISM, 1, 2, 0));
      right.start(SegmentHarness.repartitionOperatorState(one, MAX_PARALLELISM, 1, 2, 1));
      feed(List.of(left, right), 10, 20);
      assertFalse(left.extractOutputValues().isEmpty(), "every segment went to one subtask");
      assertFalse(right.extractOutputValues().isEmpty(), "every segment went to one subtask");
      both =
          AbstractStreamOperatorTestHarness.repackageState(
              left.snapshot(2, 2), right.snapshot(2, 2));
      with.addAll(left.extractOutputValues());
      with.addAll(right.extractOutputValues());
    }
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, specs)) {
      harness.start(SegmentHarness.repartitionOperatorState(both, MAX_PARALLELISM, 2, 1, 0));
      feed(List.of(harness), 20, ROUNDS);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(FAR);
      with.addAll(harness.extractOutputValues());
    }
    assertEquals(bySegment(without), bySegment(with));
    assertTrue(hasSplit(with, 1), "no snapshot has a split");
    replay(with, SPLIT);
  }

  @ParameterizedTest
  @EnumSource
  void aSpecThatComesByBroadcastIsAdoptedAtTheNextEvent(SegmentHarness.Backend backend)
      throws Exception {
    String second =
        TestSpecs.text(
            "d-ucb",
            2,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reset");
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      harness.processElement(context("s1", "d1", 0), 0);
      harness.processBroadcastElement(spec(second), 0);
      assertEquals(List.of(SegmentEventType.SPEC_ADOPTED), harness.kinds());
      harness.processElement(context("s1", "d2", 1), 0);
      assertEquals(
          List.of(SegmentEventType.SPEC_ADOPTED, SegmentEventType.SPEC_ADOPTED), harness.kinds());
      assertEquals("d-ucb", last(harness.decisions()).policy());
      assertEquals(List.of("model", "audit"), last(harness.segmentEvents()).stateReset());
    }
  }

  @ParameterizedTest
  @EnumSource
  void confirmedSilenceIsLearnedOnceThroughARestoreAndRepetitions(SegmentHarness.Backend backend)
      throws Exception {
    String spec =
        TestSpecs.ucb(
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, shown: confirmed}",
            "{range: [0, 1], default: {value: 0}}");
    List<SegmentEvent> events = new ArrayList<>();
    OperatorSubtaskState state;
    try (SegmentHarness harness = started(backend, spec)) {
      harness.processElement(shown("s1", "early", 1), 0);
      harness.processElement(context("s1", "shown", 0), 0);
      harness.processElement(shown("s1", "shown", 1), 0);
      harness.processElement(context("s1", "unseen", 0), 0);
      state = harness.snapshot(1, 1);
      events.addAll(harness.segmentEvents());
    }
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, List.of(spec(spec)))) {
      harness.start(state);
      harness.processElement(context("s1", "early", 0), 0);
      harness.processElement(shown("s1", "shown", 2), 0);
      harness.processElement(shown("s1", "early", 2), 0);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(FAR);
      events.addAll(harness.segmentEvents());
    }
    assertEquals(
        List.of(0.0, 0.0),
        events.stream().map(SegmentEvent::learnedReward).filter(Objects::nonNull).toList());
    assertEquals(
        3, events.stream().filter(it -> it.type() == SegmentEventType.REWARD_TIMEOUT).count());
  }

  /** Broadcast state is what a restore knows of specs, whatever is on the topic then. */
  @ParameterizedTest
  @EnumSource
  void aSpecThatCameByBroadcastSurvivesARestore(SegmentHarness.Backend backend) throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, List.of())) {
      harness.start(null);
      harness.processElement(context("s1", "d1", 0), 0);
      assertEquals("REJECTED", last(harness.decisions()).reason().name());
      harness.processBroadcastElement(spec(TestSpecs.ucb()), 0);
      state = harness.snapshot(1, 1);
    }
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, List.of())) {
      harness.start(state);
      harness.processElement(context("s1", "d2", 1), 0);
      assertEquals("ucb", last(harness.decisions()).policy());
    }
  }

  /** Its retirement may have been compacted away since an old savepoint. */
  @Test
  void aSpecThatTheTopicLacksCoversNoNewSegmentAfterARestore() throws Exception {
    SegmentHarness.Backend backend = SegmentHarness.Backend.HASHMAP;
    OperatorSubtaskState state;
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      harness.processElement(context("s1", "d1", 0), 0);
      state = harness.snapshot(1, 1);
    }
    String other = TestSpecs.ucb().replace("default", "{exact: [s9]}").replace("test", "other");
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, List.of(spec(other)))) {
      harness.start(state);
      harness.processElement(context("s2", "d2", 1), 0);
      assertEquals("UNKNOWN_SEGMENT", last(harness.decisions()).errorCode());
      harness.processElement(context("s1", "d3", 1), 0);
      assertEquals("ucb", last(harness.decisions()).policy(), "where it runs it goes on");
    }
  }

  /** The sources deliver what the start has read already, with contexts between these records. */
  @ParameterizedTest
  @EnumSource
  void aSpecPublishedAndRetiredWhileTheJobWasAwayIsNotAdopted(SegmentHarness.Backend backend)
      throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      harness.processElement(context("s1", "d1", 0), 0);
      state = harness.snapshot(1, 1);
    }
    SpecText second =
        spec(TestSpecs.text("ucb", 2, "{reward-window: 60s}", "{range: [0, 1]}", "reset"));
    SpecText retirement = TestControls.spec(second.key(), null);
    List<SpecText> topic = List.of(spec(TestSpecs.ucb()), second, retirement);
    for (OperatorSubtaskState restored : Arrays.asList(null, state)) {
      try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, topic)) {
        harness.start(restored);
        for (SpecText record : topic) {
          harness.processBroadcastElement(record, 0);
          harness.processElement(context("s1", "at" + topic.indexOf(record), 1), 0);
          assertEquals(1, last(harness.decisions()).specVersion());
        }
        SpecText third =
            spec(TestSpecs.text("ucb", 3, "{reward-window: 60s}", "{range: [0, 1]}", "reset"));
        harness.processBroadcastElement(third, 0);
        harness.processElement(context("s1", "d2", 2), 0);
        assertEquals(3, last(harness.decisions()).specVersion(), "the topic's next record");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRetiredSpecLetsItsDecisionsExpire(SegmentHarness.Backend backend) throws Exception {
    try (SegmentHarness harness = started(backend, TestSpecs.ucb())) {
      harness.processElement(context("s1", "d1", 0), 0);
      harness.processBroadcastElement(TestControls.spec(spec(TestSpecs.ucb()).key(), null), 0);
      harness.processBroadcastWatermark(Long.MAX_VALUE);
      harness.processWatermark(FAR);
      assertEquals(
          List.of(SegmentEventType.SPEC_ADOPTED, SegmentEventType.REWARD_TIMEOUT), harness.kinds());
      assertEquals(0, harness.numEventTimeTimers());
    }
  }

  @ParameterizedTest
  @CsvSource({"HASHMAP, model", "HASHMAP, none", "ROCKSDB, model", "ROCKSDB, none"})
  void aSegmentThatRestsHasAStubAndComesBackAfterRestoresOnOtherSubtasks(
      SegmentHarness.Backend backend, String keep) throws Exception {
    String text = SPLIT + "idle-state: {after: 300s, retain: " + keep + "}\n";
    List<SpecText> specs = List.of(spec(text));
    List<Emission> without;
    try (SegmentHarness harness = started(backend, text)) {
      feed(List.of(harness), 0, 10);
      rest(harness, 5_000);
      feed(List.of(harness), 10_000, 10_010);
      rest(harness, 15_000);
      feed(List.of(harness), 20_000, 20_010);
      rest(harness, 25_000);
      without = harness.extractOutputValues();
    }
    List<Emission> with = new ArrayList<>();
    OperatorSubtaskState one;
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, specs)) {
      harness.start(null);
      feed(List.of(harness), 0, 10);
      rest(harness, 5_000);
      one = harness.snapshot(1, 1);
      with.addAll(harness.extractOutputValues());
    }
    OperatorSubtaskState both;
    try (SegmentHarness left = new SegmentHarness(backend, 2, 0, specs);
        SegmentHarness right = new SegmentHarness(backend, 2, 1, specs)) {
      left.start(SegmentHarness.repartitionOperatorState(one, MAX_PARALLELISM, 1, 2, 0));
      right.start(SegmentHarness.repartitionOperatorState(one, MAX_PARALLELISM, 1, 2, 1));
      feed(List.of(left, right), 10_000, 10_010);
      both =
          AbstractStreamOperatorTestHarness.repackageState(
              left.snapshot(2, 2), right.snapshot(2, 2));
      with.addAll(left.extractOutputValues());
      with.addAll(right.extractOutputValues());
    }
    try (SegmentHarness harness = new SegmentHarness(backend, 1, 0, specs)) {
      harness.start(SegmentHarness.repartitionOperatorState(both, MAX_PARALLELISM, 2, 1, 0));
      rest(harness, 15_000);
      feed(List.of(harness), 20_000, 20_010);
      rest(harness, 25_000);
      with.addAll(harness.extractOutputValues());
    }
    assertEquals(bySegment(without), bySegment(with));
    double most = keep.equals("model") ? 1 : 2; // of those that few rewards matched
    assertTrue(hasSplit(with, most), "no snapshot has a split");
    replay(with, text);
  }

  /** Returns whether people are matched by M, but for a part of the reference. */
  private static boolean hasSplit(List<Emission> emissions, double most) {
    return emissions.stream()
        .filter(emission -> emission.output() == LogTopic.METRICS)
        .flatMap(emission -> Wire.METRICS.decode(emission.value()).splits().stream())
        .flatMap(split -> split.parts().stream())
        .anyMatch(part -> part.name().equals("M") && part.unmatched() < most);
  }

  /** Lets event time pass until every segment rests. */
  private static void rest(SegmentHarness harness, int seconds) throws Exception {
    harness.processBroadcastWatermark(Long.MAX_VALUE);
    harness.processWatermark(ORIGIN + 1000L * seconds);
    for (String state : List.of("header", "model", "entries", "due-index")) {
      assertEquals(0, harness.keys(state), state);
    }
    assertEquals(0, harness.numEventTimeTimers());
    assertEquals(SEGMENTS, harness.keys("passivated"));
  }

  /** Feeds rounds of contexts of all segments, each with its reward one round later. */
  private static void feed(List<SegmentHarness> harnesses, int from, int to) throws Exception {
    for (int round = from; round < to; round++) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        String name = "s" + segment;
        SegmentHarness harness =
            harnesses.stream()
                .filter(one -> one.owns(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no subtask"));
        harness.processElement(context(name, "d" + round, round), 0);
        if (round > 0 && round % 4 != segment % 4) {
          harness.processElement(
              reward(name, "d" + (round - 1), round, (round + segment) % 3 / 2.0), 0);
        }
      }
    }
  }

  private static ContextEvent context(String segment, String id, int seconds) {
    return new ContextEvent(
        id,
        segment,
        ORIGIN + 1000L * seconds,
        Map.of("S", seconds % 2 == 0 ? "a" : "b", "X", seconds % 3 == 0 ? "low" : "high"),
        null,
        null,
        new Origin("contexts", 0, seconds, ORIGIN + 1000L * seconds),
        id.getBytes(StandardCharsets.UTF_8));
  }

  private static RewardEvent shown(String segment, String id, int seconds) {
    long time = ORIGIN + 1000L * seconds;
    return RewardEvent.shown(
        id, segment, time, "A=left", new Origin("rewards", 0, seconds, time), new byte[] {1});
  }

  private static RewardEvent reward(String segment, String id, int seconds, double value) {
    return new RewardEvent(
        id,
        null,
        segment,
        ORIGIN + 1000L * seconds,
        value,
        Map.of("M", seconds % 5 < 2 ? "0" : "1"),
        null,
        new Origin("rewards", 0, seconds, ORIGIN + 1000L * seconds),
        id.getBytes(StandardCharsets.UTF_8));
  }

  private static SpecText spec(String text) {
    var compiled = TestSpecs.compiled(text).spec();
    return TestControls.spec(compiled.key(), text);
  }

  private static SegmentHarness started(SegmentHarness.Backend backend, String text)
      throws Exception {
    SegmentHarness harness = new SegmentHarness(backend, 1, 0, List.of(spec(text)));
    harness.start(null);
    return harness;
  }

  private static <T> T last(List<T> all) {
    return all.get(all.size() - 1);
  }

  private static byte[] key(Emission emission) {
    return Objects.requireNonNull(emission.key());
  }

  /** Order is promised within a segment only. */
  private static Map<String, List<Emission>> bySegment(List<Emission> emissions) {
    Map<String, List<Emission>> bySegment = new TreeMap<>();
    for (Emission emission : emissions) {
      bySegment
          .computeIfAbsent(
              new String(key(emission), StandardCharsets.UTF_8), none -> new ArrayList<>())
          .add(emission);
    }
    return bySegment;
  }

  private static void replay(List<Emission> emissions, String... specs) throws Exception {
    TestBook book = new TestBook();
    Arrays.stream(specs).forEach(book::publish);
    ReplayOracle replayOracle = new ReplayOracle(book);
    int compared = 0;
    for (Emission emission : emissions) {
      switch (emission.output()) {
        case DECISIONS -> replayOracle.onDecision(Wire.DECISION.decode(emission.value()));
        case SEGMENT_EVENTS ->
            replayOracle.onSegmentEvent(Wire.SEGMENT_EVENT.decode(emission.value()));
        case METRICS -> {
          SegmentMetrics metrics = Wire.METRICS.decode(emission.value());
          replayOracle.onMetrics(metrics);
          compared++;
        }
        case CONTEXTS, REWARDS, AUDIT, EXPERIMENTS, DEAD_LETTER -> {}
      }
    }
    assertTrue(compared >= SEGMENTS, "digests compared: " + compared);
  }
}
