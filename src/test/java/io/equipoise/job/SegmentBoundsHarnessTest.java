package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.job.control.Control;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.TestSpecs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Causal bounds in the operator, on both state backends. */
@SuppressWarnings("try") // closing a harness is interruptible
class SegmentBoundsHarnessTest {
  private static final String SPEC = TestBounds.spec("ignore");
  private static final CausalBoundSet FIRST =
      TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final CausalBoundSet SECOND =
      TestBounds.set(2, new double[] {0.5, 1}, new double[] {0, 0.25});

  @ParameterizedTest
  @EnumSource
  void boundsThatAreOnTheTopicClipTheFirstDecision(SegmentHarness.Backend backend)
      throws Exception {
    try (SegmentHarness harness = started(backend, 1, 0, controls(FIRST), null)) {
      context(harness, "d1");
      assertEquals(FIRST.hash(), last(harness).versions().boundsHash());
      assertEquals("A=right", last(harness).arm());
      assertEquals(0.75, last(harness).index());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSetThatComesByBroadcastIsAdoptedWhenItIsWhole(SegmentHarness.Backend backend)
      throws Exception {
    try (SegmentHarness harness = started(backend, 1, 0, controls(FIRST), null)) {
      context(harness, "d1");
      harness.processBroadcastElement(TestControls.bound(SECOND.rows().get(1)), 0);
      context(harness, "d2");
      assertEquals(FIRST.hash(), last(harness).versions().boundsHash(), "one of two rows");
      harness.processBroadcastElement(TestControls.bound(SECOND.rows().get(0)), 0);
      assertEquals(2, harness.kinds().size(), "a broadcast touches no segment");
      context(harness, "d3");
      assertEquals(SECOND.hash(), last(harness).versions().boundsHash());
      assertEquals(
          List.of(
              SegmentEventType.SPEC_ADOPTED,
              SegmentEventType.BOUNDS_ADOPTED,
              SegmentEventType.BOUNDS_ADOPTED),
          harness.kinds());
    }
  }

  /** Broadcast state is what a restore knows of bounds, whatever is on the topic then. */
  @ParameterizedTest
  @EnumSource
  void boundsSurviveARestoreWithWhatTheTopicHasForgotten(SegmentHarness.Backend backend)
      throws Exception {
    OperatorSubtaskState state;
    try (SegmentHarness harness = started(backend, 1, 0, controls(FIRST), null)) {
      context(harness, "d1");
      state = harness.snapshot(1, 1);
    }
    try (SegmentHarness harness = started(backend, 1, 0, List.of(), state)) {
      context(harness, "d2");
      assertEquals(FIRST.hash(), last(harness).versions().boundsHash());
      assertEquals(List.of(), harness.kinds());
      for (CausalBound row : FIRST.rows()) {
        harness.processBroadcastElement(TestControls.retirement(row), 0);
      }
      context(harness, "d3");
      assertEquals(FIRST.hash(), last(harness).versions().boundsHash(), "who runs with it goes on");
      harness.processElement(context("other", "d1"), 0);
      assertNull(last(harness).versions().boundsHash(), "nobody else takes it up");
      state = harness.snapshot(2, 2);
    }
    try (SegmentHarness harness = started(backend, 1, 0, List.of(), state)) {
      context(harness, "d4");
      assertEquals(FIRST.hash(), last(harness).versions().boundsHash());
      harness.processElement(context("third", "d1"), 0);
      assertNull(last(harness).versions().boundsHash(), "retired after a restore too");
    }
  }

  /** The source delivers what the start has read already, with contexts between these records. */
  @ParameterizedTest
  @EnumSource
  void boundsPublishedAndRetiredWhileTheJobWasAwayAreNotAdopted(SegmentHarness.Backend backend)
      throws Exception {
    List<Control> topic = controls(FIRST);
    FIRST.rows().forEach(row -> topic.add(TestControls.retirement(row)));
    try (SegmentHarness harness = started(backend, 1, 0, topic, null)) {
      for (Control record : topic) {
        harness.processBroadcastElement(record, 0);
        context(harness, "d" + topic.indexOf(record));
        assertNull(last(harness).versions().boundsHash());
      }
      for (CausalBound row : SECOND.rows()) {
        harness.processBroadcastElement(TestControls.bound(row), 0);
      }
      context(harness, "later");
      assertEquals(
          SECOND.hash(), last(harness).versions().boundsHash(), "the topic's next records");
    }
  }

  /** A start reads it before the source does, and only the source's operator writes letters. */
  @Test
  void aRowThatContradictsItsSetIsADeadLetterAlsoIfTheStartHasReadIt() throws Exception {
    CausalBound row = FIRST.rows().get(0);
    List<Control> topic = controls(FIRST);
    topic.add(TestControls.bound(contradiction(row)));
    List<DeadLetter> letters = new ArrayList<>();
    for (int subtask = 0; subtask < 2; subtask++) {
      try (SegmentHarness harness =
          started(SegmentHarness.Backend.HASHMAP, 2, subtask, topic, null)) {
        assertEquals(List.of(), deadLetters(harness));
        for (Control record : topic) {
          harness.processBroadcastElement(record, 0);
        }
        letters.addAll(deadLetters(harness));
      }
    }
    assertEquals(List.of("BOUNDS_REJECTED"), letters.stream().map(DeadLetter::code).toList());
  }

  /** Compaction may have removed their retirements since an old savepoint. */
  @ParameterizedTest
  @EnumSource
  void boundsThatTheTopicLacksStayRetiredAfterARestore(SegmentHarness.Backend backend)
      throws Exception {
    OperatorSubtaskState old;
    try (SegmentHarness harness = started(backend, 1, 0, controls(FIRST), null)) {
      context(harness, "d1");
      old = harness.snapshot(1, 1);
    }
    List<Control> withoutBounds = controls(FIRST).subList(0, 1);
    OperatorSubtaskState later;
    try (SegmentHarness harness = started(backend, 1, 0, withoutBounds, old)) {
      harness.processElement(context("other", "d1"), 0);
      assertNull(last(harness).versions().boundsHash(), "no segment takes them up");
      context(harness, "d2");
      assertEquals(
          FIRST.hash(), last(harness).versions().boundsHash(), "a segment with them keeps them");
      later = harness.snapshot(2, 2);
    }
    try (SegmentHarness harness = started(backend, 1, 0, List.of(), later)) {
      harness.processElement(context("third", "d1"), 0);
      assertNull(last(harness).versions().boundsHash(), "the state keeps the retirement");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRowThatContradictsItsSetIsOneDeadLetterOfOneSubtask(SegmentHarness.Backend backend)
      throws Exception {
    CausalBound row = FIRST.rows().get(0);
    CausalBound other = contradiction(row);
    List<DeadLetter> letters = new ArrayList<>();
    for (int subtask = 0; subtask < 2; subtask++) {
      try (SegmentHarness harness = started(backend, 2, subtask, controls(FIRST), null)) {
        harness.processBroadcastElement(TestControls.bound(other), 0);
        harness.processBroadcastElement(TestControls.bound(row), 0);
        letters.addAll(deadLetters(harness));
        OperatorSubtaskState state = harness.snapshot(1, 1);
        try (SegmentHarness restored = started(backend, 2, subtask, List.of(), state)) {
          String segment = restored.owns("s1") ? "s1" : owned(restored);
          restored.processElement(context(segment, "d1"), 0);
          assertEquals(FIRST.hash(), last(restored).versions().boundsHash());
        }
      }
    }
    assertEquals(1, letters.size());
    assertEquals("BOUNDS_REJECTED", letters.get(0).code());
    assertTrue(letters.get(0).message().contains("an earlier row"), letters.get(0).message());
    assertEquals(other, Wire.CAUSAL_BOUND.decode(letters.get(0).input().value()));
  }

  private static CausalBound contradiction(CausalBound row) {
    return new CausalBound(row.set(), row.arm(), Map.of(), 0, 1, row.evidence());
  }

  private static String owned(SegmentHarness harness) {
    int number = 2;
    while (!harness.owns("s" + number)) {
      number++;
    }
    return "s" + number;
  }

  private static List<Control> controls(CausalBoundSet set) {
    List<Control> controls = new ArrayList<>();
    var spec = TestSpecs.compiled(SPEC).spec();
    controls.add(TestControls.spec(spec.key(), SPEC));
    set.rows().forEach(row -> controls.add(TestControls.bound(row)));
    return controls;
  }

  private static SegmentHarness started(
      SegmentHarness.Backend backend,
      int parallelism,
      int subtask,
      List<Control> controls,
      @Nullable OperatorSubtaskState state)
      throws Exception {
    SegmentHarness harness = new SegmentHarness(backend, parallelism, subtask, controls);
    harness.start(state);
    return harness;
  }

  private static void context(SegmentHarness harness, String id) throws Exception {
    harness.processElement(context("s1", id), 0);
  }

  private static ContextEvent context(String segment, String id) {
    return new ContextEvent(
        id,
        segment,
        SegmentHarness.ORIGIN,
        Map.of("S", "a", "X", "low"),
        null,
        null,
        new Origin("contexts", 0, 0, SegmentHarness.ORIGIN),
        id.getBytes(StandardCharsets.UTF_8));
  }

  private static Decision last(SegmentHarness harness) {
    List<Decision> decisions = harness.decisions();
    return decisions.get(decisions.size() - 1);
  }

  private static List<DeadLetter> deadLetters(SegmentHarness harness) {
    return harness.extractOutputValues().stream()
        .filter(emission -> emission.output() == LogTopic.DEAD_LETTER)
        .map(emission -> Wire.DEAD_LETTER.decode(emission.value()))
        .toList();
  }
}
