package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputFault;
import io.equipoise.event.Origin;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.SpecRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a caller over HTTP gets for a record of the topic. */
class AnswerTest {
  private static final long NOON = 1_700_000_000_000L;
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback:"
          + " \"A=right\"}";

  /** The job writes it at once, so no caller waits for the deadline. */
  @Test
  void aContextOfASegmentTooManyIsAnsweredWithTheFallbackArm() {
    Decision refused = refused(ErrorCode.TOO_MANY_SEGMENTS);
    Answer answer =
        Answer.of(
            refused, SpecRegistry.of(TestSpecs.compiled(TestSpecs.ucb(JOIN, "{range: [0, 1]}"))));
    assertEquals("A=right", answer.arm());
    assertEquals(DecisionReason.REJECTED, answer.reason());
    assertEquals("TOO_MANY_SEGMENTS", answer.code());
    assertNull(answer.change());
  }

  @Test
  void aSegmentThatNoSpecCoversHasNoFallbackArm() {
    Answer answer = Answer.of(refused(ErrorCode.UNKNOWN_SEGMENT), SpecRegistry.NONE);
    assertNull(answer.arm());
    assertEquals("UNKNOWN_SEGMENT", answer.code());
  }

  private static Decision refused(ErrorCode code) {
    Origin origin = new Origin("contexts", 0, 0, NOON);
    ContextEvent context =
        new ContextEvent("d1", "s", NOON, Map.of(), null, null, origin, new byte[0]);
    RecordedLog log = new RecordedLog();
    new SegmentWithoutSpec(WriterEpoch.numbered(0), log)
        .refuse(context, new InputFault(code, "no room"), null);
    return log.decisions.get(0);
  }
}
