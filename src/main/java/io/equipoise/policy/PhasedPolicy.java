package io.equipoise.policy;

import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.TerminalAudit;
import org.jspecify.annotations.Nullable;

/**
 * Runs an experiment as a policy: in phases, each closed by a logged change, and to an end. An
 * experiment belongs to its spec. Its settings must be {@linkplain
 * io.equipoise.segmentspec.PolicySpec.FamilySpec#isPhased phased} too.
 */
public interface PhasedPolicy extends Policy {
  long PROGRESS = 0;

  /**
   * Keeps how far a segment's experiment has come. It can be ended when its spec is not known any
   * more.
   */
  abstract class Progress extends StateBlock {
    /** Returns whether the experiment has not ended; false for any other block of its class. */
    public abstract boolean isRunning();

    /** Returns how many samples were taken. */
    public abstract long samples();

    /** Returns what they cost. */
    public abstract double costSpent();

    /** Ends the experiment without an answer: the control is served. */
    public abstract void abort();
  }

  /**
   * Carries what the end of a phase is published with.
   *
   * @param end of the experiment, null if it goes on
   */
  record ClosedPhase(PhaseAudit phase, @Nullable TerminalAudit end) {}

  /** Returns what is searched, and how, as every record of the experiment repeats it. */
  ExperimentDesign experiment();

  /** Returns whether the spec ends the experiment without an answer. */
  boolean isAborted();

  /**
   * Closes the open phase if it is done: tests the arms, and opens the next phase or ends the
   * experiment.
   *
   * @param rewardsLate rewards of the segment that came too late so far
   * @param rewardsDuplicate rewards of the segment that came twice so far
   * @return null if the phase goes on or the experiment has ended
   */
  @Nullable ClosedPhase closePhase(ModelState modelState, long rewardsLate, long rewardsDuplicate);
}
