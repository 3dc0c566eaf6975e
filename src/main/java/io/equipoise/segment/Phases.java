package io.equipoise.segment;

import io.equipoise.event.AbortReason;
import io.equipoise.event.InputFault;
import io.equipoise.event.SegmentEventType;
import io.equipoise.policy.PhasedPolicy.ClosedPhase;
import io.equipoise.policy.PhasedPolicy.Progress;
import io.equipoise.segment.log.EventLogWriter;
import io.equipoise.segment.log.ExperimentRecords.Abort;
import io.equipoise.segment.state.SegmentContext;
import org.jspecify.annotations.Nullable;

/**
 * Ends the phases of a segment's experiment when all samples are settled or the experiment is
 * aborted. Each end is a logged change with its audit.
 *
 * <p>An experiment belongs to its spec. It begins with the first decision under it, and is aborted
 * when the spec is retired, when another one takes the segment over, or when a newer version of it
 * says {@code abort}. An aborted experiment never continues; another {@code seed} starts a new one.
 */
public final class Phases {

  private final SegmentContext segmentContext;
  private final StateTransitions transitions;
  private final EventLogWriter eventLog;

  Phases(SegmentSession session) {
    this.segmentContext = session.segmentContext;
    this.transitions = session.transitions;
    this.eventLog = session.eventLog;
  }

  /**
   * Closes every phase that is done. Costs one state access if there is an experiment.
   *
   * @return why the policy failed to compute the end of a phase, which goes on; null if it did not.
   *     The next context reports it, as it fails again
   */
  @Nullable InputFault closeDone(long eventTime) {
    try {
      boolean isClosed = true;
      while (isClosed) {
        isClosed = closeNext(eventTime);
      }
      return null;
    } catch (RefusedByPolicyException e) {
      return e.fault();
    }
  }

  /** Closes the open phase if it is done, and returns whether it was. */
  public boolean closeNext(long eventTime) {
    ClosedPhase end = segmentContext.spec == null ? null : transitions.closePhase();
    if (end == null) {
      return false;
    }
    eventLog.phaseClosed(eventLog.segmentEvent(SegmentEventType.PHASE_CLOSED, eventTime), end);
    return true;
  }

  /** Ends the experiment of a segment whose spec was retired. */
  public void retire(long eventTime) {
    Progress running = segmentContext.head.specHash == null ? null : segmentContext.running();
    if (running == null) {
      return;
    }
    Abort abort = Abort.of(segmentContext, running, AbortReason.SPEC_RETIRED);
    transitions.abort(running);
    eventLog.aborted(eventLog.segmentEvent(SegmentEventType.PHASE_CLOSED, eventTime), abort);
  }
}
