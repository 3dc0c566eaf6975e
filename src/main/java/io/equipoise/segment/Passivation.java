package io.equipoise.segment;

import io.equipoise.event.Input;
import io.equipoise.event.SegmentEventType;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.DueIndex;
import io.equipoise.segment.state.PassivatedSegment;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segmentspec.IdleStateSpec;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import org.jspecify.annotations.Nullable;

/**
 * Passivates a segment that gets no input and activates it with the next one. By its spec's rule a
 * passivated segment drops its state except a {@link PassivatedSegment}. Both changes are logged
 * with the next {@code seq}: SEGMENT_PASSIVATED and SEGMENT_ACTIVATED.
 *
 * <p>A segment is passivated only when no entry of a decision or reward is left and no experiment
 * runs, so passivation changes neither what repetitions are nor which rewards are late. A
 * passivated segment has no timers. If no segment may be passivated, it stays active and checks
 * again after the same time.
 */
public final class Passivation {
  private final SegmentContext segmentContext;
  private final SegmentHeader head;
  private final EventLogWriter eventLog;

  Passivation(SegmentContext segmentContext, EventLogWriter eventLog) {
    this.segmentContext = segmentContext;
    this.head = segmentContext.head;
    this.eventLog = eventLog;
  }

  /** Logs that the segment is active again, if it was passivated when the event began. */
  public void ended(long eventTime) {
    if (segmentContext.revived != null) {
      eventLog.write(
          eventLog
              .segmentEvent(SegmentEventType.SEGMENT_ACTIVATED, eventTime)
              .modelRetained(segmentContext.revived == Retain.MODEL));
    }
  }

  /** Records the time of an input, from which the idle time counts. */
  void seen(Input input) {
    head.lastInput = Math.max(head.lastInput, SegmentContext.plausibleTime(input));
    lookLater();
  }

  /** Passivates the segment if event time has reached the end of its idle time. */
  void look(long time) {
    head.lastInput = head.lastInput == SegmentHeader.NEVER ? time : head.lastInput; // of old state
    if (head.idleLook > time) {
      lookLater();
      return;
    }
    head.idleLook = SegmentHeader.NO_LOOK;
    IdleStateSpec rule = rule();
    if (rule == null || segmentContext.running() != null) {
      return; // the next input checks again
    }
    long due = head.lastInput + rule.after().toMillis();
    if (due > time || isAnythingRemembered()) {
      lookLater();
      return;
    }
    if (!segmentContext.state.mayPassivate()) {
      lookAt(time + rule.after().toMillis());
      return;
    }
    begin(rule.retain(), due);
  }

  /** Logs that the segment is passivated at {@code due}, and drops its state. */
  public void begin(Retain keep, long due) {
    eventLog.write(
        eventLog
            .segmentEvent(SegmentEventType.SEGMENT_PASSIVATED, due)
            .modelRetained(keep == Retain.MODEL));
    PassivatedSegment passivated =
        keep == Retain.MODEL
            ? new PassivatedSegment(keep, segmentContext.state.pack(head))
            : PassivatedSegment.emptied(head);
    segmentContext.state.clearBlocks();
    segmentContext.rest(passivated);
  }

  /** Returns the idle rule of the segment's spec, or null. */
  @Nullable
  public IdleStateSpec rule() {
    CompiledSpec spec = segmentContext.spec;
    return spec == null ? null : spec.spec().idleState();
  }

  private void lookLater() {
    IdleStateSpec rule = rule();
    if (rule == null) {
      return;
    }
    long due = head.lastInput + rule.after().toMillis();
    for (DueIndex.Queue queue : DueIndex.Queue.values()) {
      due = head.bucketsOf(queue).isEmpty() ? due : Math.max(due, head.bucketsOf(queue).lastKey());
    }
    lookAt(due);
  }

  private void lookAt(long due) {
    long look = DueIndex.bucketOf(due, segmentContext.bucketMillis(DueIndex.Queue.DEDUP_ENTRIES));
    if (look < head.idleLook) {
      head.idleLook = look;
      segmentContext.state.wakeAt(look);
    }
  }

  private boolean isAnythingRemembered() {
    boolean isDueIndexEmpty = true;
    for (DueIndex.Queue queue : DueIndex.Queue.values()) {
      isDueIndexEmpty &= head.bucketsOf(queue).isEmpty();
    }
    return !isDueIndexEmpty || head.pending > 0 || head.early > 0 || head.dedupEntries > 0;
  }
}
