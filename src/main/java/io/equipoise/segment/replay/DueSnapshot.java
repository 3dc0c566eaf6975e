package io.equipoise.segment.replay;

import io.equipoise.event.Decision;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that a segment must have written by what its log tells: behind the change of a seq, or
 * behind those after it that may have been of the same turn, as evictions may.
 *
 * <p>One is due every so many decisions. By event time one is due where a turn ends in which
 * windows were closed, and before a segment rests; turns that close nothing leave no trace on the
 * log, so that theirs are not due.
 *
 * @param seq of the first change that it may stand behind
 * @param writerEpoch who must have written it
 * @param eventTime of the decision, ms; means nothing where event time causes it
 */
public record DueSnapshot(long seq, int writerEpoch, MetricsTrigger trigger, long eventTime) {

  /** Says whether this may be one that is due behind later changes: a turn closes many windows. */
  public boolean mayBe(@Nullable DueSnapshot later) {
    return equals(later)
        || (later != null
            && trigger == MetricsTrigger.EVENT_TIME
            && later.trigger == MetricsTrigger.EVENT_TIME);
  }

  /** Returns what is due behind a decision of the policy. */
  static DueSnapshot behind(Decision decision) {
    return new DueSnapshot(
        decision.seq(), decision.writerEpoch(), MetricsTrigger.COUNT, decision.eventTime());
  }

  /**
   * Returns what is due behind another change.
   *
   * @param before what was due before it and was not found, or null
   * @param lastSeq the seq of the last snapshot
   */
  static @Nullable DueSnapshot behind(
      SegmentEvent segmentEvent, @Nullable DueSnapshot before, long lastSeq) {
    return switch (segmentEvent.type()) {
      case REWARD_TIMEOUT, WINDOW_CLOSED -> byEventTime(segmentEvent, segmentEvent.seq());
      case PHASE_CLOSED,
              ASSUMPTION_REFUTED,
              BOUNDS_REFUTED,
              DECISION_EVICTED,
              DEDUP_ENTRY_EVICTED ->
          before;
      case SEGMENT_PASSIVATED -> before == null ? beforeRest(segmentEvent, lastSeq) : before;
      case REWARD_APPLIED, REWARD_BUFFERED, SPEC_ADOPTED, BOUNDS_ADOPTED, SEGMENT_ACTIVATED -> null;
    };
  }

  private static @Nullable DueSnapshot beforeRest(SegmentEvent passivated, long lastSeq) {
    return lastSeq < passivated.seq() - 1 ? byEventTime(passivated, passivated.seq() - 1) : null;
  }

  private static DueSnapshot byEventTime(SegmentEvent segmentEvent, long seq) {
    return new DueSnapshot(
        seq, segmentEvent.writerEpoch(), MetricsTrigger.EVENT_TIME, segmentEvent.eventTime());
  }
}
