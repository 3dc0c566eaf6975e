package io.equipoise.segment;

import io.equipoise.event.AbortReason;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.PhasedPolicy.ClosedPhase;
import io.equipoise.policy.PhasedPolicy.Progress;
import io.equipoise.segment.ExperimentRecords.Abort;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What ends the phases of a segment's experiment, each end a logged change with its audit: all its
 * samples are settled, or the experiment is aborted.
 *
 * <p>An experiment belongs to its spec. It begins with the first decision under it, and is aborted
 * when the spec is retired, when another one takes the segment over, or when a newer version of it
 * says {@code abort}. What is aborted never goes on; another {@code seed} makes it anew.
 */
final class Phases {

  private final SegmentContext segmentContext;
  private final StateTransitions transitions;

  Phases(SegmentContext segmentContext, StateTransitions transitions) {
    this.segmentContext = segmentContext;
    this.transitions = transitions;
  }

  /** Closes every phase that is done. Costs one look at the state where there is an experiment. */
  void closeDone(long eventTime) {
    boolean isClosed = true;
    while (isClosed) {
      isClosed = closeNext(eventTime);
    }
  }

  /** Closes the open phase if it is done, and says so. */
  boolean closeNext(long eventTime) {
    ClosedPhase end = segmentContext.spec == null ? null : transitions.closePhase();
    if (end == null) {
      return false;
    }
    segmentContext.journal.phaseClosed(
        segmentContext.journal.segmentEvent(SegmentEventType.PHASE_CLOSED, eventTime), end);
    return true;
  }

  /** Ends the experiment of a segment whose spec was retired. */
  void retire(long eventTime) {
    Progress running = segmentContext.head.specHash == null ? null : transitions.running();
    if (running == null) {
      return;
    }
    Abort abort = abort(running, AbortReason.SPEC_RETIRED);
    transitions.abort(running);
    segmentContext.journal.aborted(
        segmentContext.journal.segmentEvent(SegmentEventType.PHASE_CLOSED, eventTime), abort);
  }

  /** Returns what must be told of the experiment if a spec that takes over ends it. */
  @Nullable Abort before(CompiledSpec next, SpecCompatibility how) {
    Progress running = transitions.running();
    if (running == null) {
      return null;
    }
    if (how instanceof SpecCompatibility.Incompatible) {
      return abort(running, AbortReason.SPEC_REPLACED);
    }
    boolean isRequested = next.experiment() != null && next.experiment().isAborted();
    return isRequested ? abort(running, AbortReason.REQUESTED) : null;
  }

  private Abort abort(Progress running, AbortReason reason) {
    return new Abort(
        segmentContext.spec,
        Objects.requireNonNull(segmentContext.head.specHash),
        reason,
        running.samples(),
        running.costSpent());
  }
}
