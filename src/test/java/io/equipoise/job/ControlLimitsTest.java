package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.InputFault;
import io.equipoise.event.LogTopic;
import io.equipoise.event.Origin;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import io.equipoise.job.topics.Emission;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.TestSpecs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever writes to the control topics cannot grow the broadcast state without limit. */
@SuppressWarnings("try") // closing a harness is interruptible
class ControlLimitsTest {
  private static final CausalBoundSet FIRST =
      TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final CausalBoundSet SECOND =
      TestBounds.set(2, new double[] {0.5, 1}, new double[] {0, 0.25});

  @Test
  void specsAboveTheLimitAreRefusedAlsoAfterARestore() throws Exception {
    SpecText first = spec(1);
    SpecText second = spec(2);
    OperatorSubtaskState state;
    try (SegmentHarness harness =
        new SegmentHarness(SegmentHarness.Backend.HASHMAP, 1, 0, List.of(first))) {
      harness.start(null);
      long most = SegmentFunction.MOST_SPEC_CHARS / SegmentFunction.CHARS_PER_SPEC;
      for (int i = 0; i < most; i++) {
        harness.processBroadcastElement(
            TestControls.spec("test/%032x".formatted(i), null), 0); // a retired key takes room too
      }
      List<DeadLetter> letters = letters(harness);
      assertTrue(letters.size() > 1 && letters.size() < most / 100, letters.size() + " letters");
      harness.processBroadcastElement(second, 0);
      DeadLetter letter = letters(harness).get(letters.size());
      assertEquals("TOO_MANY_SPECS", letter.code());
      assertEquals(second.raw().topic(), letter.source().topic());
      assertEquals(second.text(), text(letter.input().value()));
      assertEquals(1, version(harness, "d1"));
      harness.processBroadcastElement(TestControls.spec(first.key(), null), 0);
      assertEquals(letters.size() + 1, letters(harness).size(), "retirement of a known spec");
      state = harness.snapshot(1, 1);
    }
    try (SegmentHarness harness =
        new SegmentHarness(SegmentHarness.Backend.HASHMAP, 1, 0, List.of(first, second))) {
      harness.start(state);
      assertEquals(1, version(harness, "d2"), "the topic has it and the limit forbids it");
      harness.processBroadcastElement(second, 0);
      assertEquals("TOO_MANY_SPECS", letters(harness).get(0).code());
    }
  }

  @Test
  void rowsOfBoundsAboveTheLimitAreRefusedAlsoAfterARestore() throws Exception {
    BroadcastState<String, byte[]> state = state();
    long most = FIRST.rows().stream().mapToLong(ControlLimitsTest::weight).sum();
    BroadcastBounds bounds = new BroadcastBounds(state, most);
    for (CausalBound row : FIRST.rows()) {
      assertEquals(Optional.empty(), bounds.put(state, record(row, true)));
    }
    assertFull(bounds, state);
    assertFull(new BroadcastBounds(state, most), state);
    CausalBoundRecord retirement = record(FIRST.rows().get(0), false);
    assertEquals(Optional.empty(), bounds.put(state, retirement), "of a known row");
    BroadcastBounds restored = new BroadcastBounds(state, most);
    assertFull(restored, state);
    CausalBoundRecord again = record(FIRST.rows().get(0), true);
    assertEquals(Optional.empty(), restored.put(state, again), "a known row");
  }

  private static void assertFull(BroadcastBounds bounds, BroadcastState<String, byte[]> state)
      throws Exception {
    for (boolean isRow : List.of(true, false)) {
      Optional<InputFault> fault = bounds.put(state, record(SECOND.rows().get(0), isRow));
      assertEquals("TOO_MANY_BOUNDS", fault.orElseThrow().code().name());
    }
    assertEquals(
        List.of(),
        bounds.book().offered(SECOND.name()).stream()
            .filter(set -> set.version() == SECOND.version())
            .toList());
  }

  private static long weight(CausalBound row) {
    return 128L + CausalBoundKey.of(row).text().length() + Wire.CAUSAL_BOUND.encode(row).length;
  }

  private static CausalBoundRecord record(CausalBound row, boolean isRow) {
    return new CausalBoundRecord(
        new RawControl(
            "causal-bounds",
            0,
            0,
            0,
            CausalBoundKey.of(row).bytes(),
            isRow ? Wire.CAUSAL_BOUND.encode(row) : null));
  }

  private static BroadcastState<String, byte[]> state() throws Exception {
    return new DefaultOperatorStateBackendBuilder(
            ControlLimitsTest.class.getClassLoader(),
            new ExecutionConfig(),
            false,
            List.of(),
            new CloseableRegistry())
        .build()
        .getBroadcastState(BroadcastBounds.STATE);
  }

  private static SpecText spec(int version) {
    String text =
        TestSpecs.text("ucb", version, "{reward-window: 60s}", "{range: [0, 1]}", "reject");
    var compiled = TestSpecs.compiled(text).spec();
    return TestControls.spec(compiled.key(), text);
  }

  private static long version(SegmentHarness harness, String id) throws Exception {
    harness.processElement(
        new ContextEvent(
            id,
            "shop",
            SegmentHarness.ORIGIN,
            Map.of("S", "a", "X", "low"),
            null,
            null,
            new Origin("contexts", 0, id.charAt(1), SegmentHarness.ORIGIN),
            new byte[0]),
        0);
    List<Decision> decisions = harness.decisions();
    return decisions.get(decisions.size() - 1).specVersion();
  }

  private static List<DeadLetter> letters(SegmentHarness harness) {
    List<DeadLetter> letters = new ArrayList<>();
    for (Emission emission : harness.extractOutputValues()) {
      if (emission.output() == LogTopic.DEAD_LETTER) {
        letters.add(Wire.DEAD_LETTER.decode(emission.value()));
      }
    }
    return letters;
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }
}
