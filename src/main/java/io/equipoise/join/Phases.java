package io.equipoise.join;

import io.equipoise.bandit.csr.ExperimentBlock;
import io.equipoise.bandit.csr.PhaseEnd;
import io.equipoise.event.AbortReason;
import io.equipoise.event.SegmentEventType;
import io.equipoise.join.ExperimentRecords.Abort;
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

  private final Turn turn;
  private final Changes changes;

  Phases(Turn turn, Changes changes) {
    this.turn = turn;
    this.changes = changes;
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
    PhaseEnd end = turn.spec == null ? null : changes.closePhase();
    if (end == null) {
      return false;
    }
    turn.journal.phaseClosed(
        turn.journal.segmentEvent(SegmentEventType.PHASE_CLOSED, eventTime), end);
    return true;
  }

  /** Ends the experiment of a segment whose spec was retired. */
  void retire(long eventTime) {
    ExperimentBlock running = turn.head.specHash == null ? null : changes.running();
    if (running == null) {
      return;
    }
    Abort abort = abort(running, AbortReason.SPEC_RETIRED);
    changes.abort(running);
    turn.journal.aborted(
        turn.journal.segmentEvent(SegmentEventType.PHASE_CLOSED, eventTime), abort);
  }

  /** Returns what must be told of the experiment if a spec that takes over ends it. */
  @Nullable Abort before(CompiledSpec next, Succession how) {
    ExperimentBlock running = changes.running();
    if (running == null) {
      return null;
    }
    if (how instanceof Succession.Anew) {
      return abort(running, AbortReason.SPEC_REPLACED);
    }
    boolean isRequested = next.experiment() != null && next.experiment().abortReason() != null;
    return isRequested ? abort(running, AbortReason.REQUESTED) : null;
  }

  private Abort abort(ExperimentBlock running, AbortReason reason) {
    return new Abort(
        turn.spec,
        Objects.requireNonNull(turn.head.specHash),
        reason,
        running.pulls(),
        running.costSpent());
  }
}
