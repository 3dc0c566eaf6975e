package io.equipoise.segment.replay;

import io.equipoise.event.Decision;
import io.equipoise.event.MetricsTrigger;
import io.equipoise.event.SegmentEvent;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a metrics snapshot that a segment must have written according to its log: after the
 * change of a seq, or after later changes that may belong to the same event, such as evictions.
 *
 * <p>A snapshot is due after every {@code metricsEvery} decisions. By event time it is due after a
 * timer that closed windows, and before a passivation. A timer that closes nothing leaves no trace
 * in the log, so its snapshot is not required.
 *
 * @param seq of the first change that it may follow
 * @param writerEpoch the epoch that must have written it
 * @param eventTime of the decision, ms; without meaning if event time causes it
 */
public record DueSnapshot(long seq, int writerEpoch, MetricsTrigger trigger, long eventTime) {

  /**
   * Returns whether this may be the snapshot due after later changes, since one timer closes many
   * windows.
   */
  public boolean mayBe(@Nullable DueSnapshot later) {
    return equals(later)
        || (later != null
            && trigger == MetricsTrigger.EVENT_TIME
            && later.trigger == MetricsTrigger.EVENT_TIME);
  }

  /** Returns the snapshot that is due after a decision of the policy. */
  static DueSnapshot behind(Decision decision) {
    return new DueSnapshot(
        decision.seq(), decision.writerEpoch(), MetricsTrigger.COUNT, decision.eventTime());
  }

  /**
   * Returns the snapshot that is due after a segment event, or null.
   *
   * @param before the snapshot that was due before it and was not found, or null
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
