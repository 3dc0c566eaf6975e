package io.equipoise.audit.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.equipoise.audit.log.LogRecord;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An id is remembered until its time, or until the log says that it was forgotten. */
class AnsweredIdsTest extends TamperedLog {
  private static final long MEMORY_MILLIS = 60_000;

  private final AnsweredIds ids = new AnsweredIds(MEMORY_MILLIS, 0, new MemoryBudget(10_000));
  private final Decision one = decided(20);
  private final Decision again = Tamper.with(one, "seq", one.seq() + 7);

  private @Nullable Long answer(Decision decision, long afterMillis) {
    return ids.on(decision, null, decision.eventTime() + afterMillis);
  }

  /** What a segment without room says that it gives up. */
  private void evict(String decisionId, boolean isTombstone) {
    SegmentEvent any = applied(10);
    SegmentEventType kind =
        isTombstone ? SegmentEventType.DEDUP_ENTRY_EVICTED : SegmentEventType.DECISION_EVICTED;
    SegmentEvent evicted = Tamper.with(any, "type", kind);
    evicted = Tamper.with(evicted, "id", null);
    evicted = Tamper.with(evicted, "hash", IdHash.of(decisionId).hex());
    ids.on(Tamper.with(evicted, "decision.seq", isTombstone ? null : one.seq()));
  }

  @Test
  void anEvictionMakesItsOwnIdForgottenAndNoOther() {
    assertNull(answer(one, 0));
    evict("somebody else", true);
    assertEquals(one.seq(), answer(again, 1));
    evict(one.decisionId(), false);
    assertEquals(one.seq(), answer(again, 2), "a dedup entry was left");
    evict(one.decisionId(), true);
    assertNull(answer(again, 3));
    assertEquals(again.seq(), answer(one, 4));
  }

  @Test
  void timePassesForAnIdThatWasAnsweredAnewByItsLastAnswer() {
    assertNull(answer(one, 0));
    evict(one.decisionId(), true);
    Decision later = Tamper.with(again, "eventTime", one.eventTime() + 1_000);
    assertNull(answer(later, 0));
    assertEquals(later.seq(), answer(later, MEMORY_MILLIS - 1_000));
    assertNull(answer(later, MEMORY_MILLIS));
  }

  @Test
  void anIdThatWasRefusedIsNotAnsweredLater() {
    Decision refused = decision(d -> d.reason() == DecisionReason.REJECTED && d.specHash() != null);
    Decision other =
        decision(
            d ->
                d.segment().equals(refused.segment())
                    && d.seq() > refused.seq()
                    && d.features() != null);
    Decision wrong = Tamper.with(other, "decisionId", refused.decisionId());
    log.replace(at(other), Wire.DECISION.encode(wrong));
    LogRecord context =
        log.first(
            LogTopic.CONTEXTS,
            r ->
                r.slice().partition() == other.source().partition()
                    && r.offset() == other.source().offset());
    WireContext asked = Wire.CONTEXT.decode(context.value());
    String id = refused.decisionId();
    log.replace(context, Wire.CONTEXT.encode(Tamper.with(asked, "decisionId", id)));
    assertNames(check(), Invariant.I1, name(wrong), "has a decision at seq " + refused.seq());
  }
}
