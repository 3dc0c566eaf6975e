package io.equipoise.segment;

import io.equipoise.event.AbortReason;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.policy.PhasedPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the records of the experiments topic from the phases of a search. */
final class ExperimentRecords {
  private final SegmentContext segmentContext;
  private final SegmentEvent change;
  private final CompiledSpec compiled;

  /**
   * An experiment that ended without an answer.
   *
   * @param spec its spec, null where the book has lost the text
   * @param specHash the hash of its spec
   */
  record Abort(
      @Nullable CompiledSpec spec,
      String specHash,
      AbortReason reason,
      long pulls,
      double costSpent) {}

  /** Makes records that explain a logged change. */
  ExperimentRecords(SegmentContext segmentContext, SegmentEvent change) {
    this.segmentContext = segmentContext;
    this.change = change;
    compiled = segmentContext.requireSpec();
  }

  ExperimentRecord of(PhaseAudit phase) {
    return record(segmentContext, change, compiled, compiled.spec().hash(), phase, null);
  }

  ExperimentRecord of(TerminalAudit end) {
    return record(segmentContext, change, compiled, compiled.spec().hash(), null, end);
  }

  /** Makes the record of an experiment that a logged change ended without an answer. */
  static ExperimentRecord of(SegmentContext segmentContext, SegmentEvent change, Abort abort) {
    CompiledSpec compiled = abort.spec();
    ExperimentDesign design = compiled == null ? null : design(compiled);
    TerminalAudit end =
        new TerminalAudit(
            TerminalKind.ABORTED,
            design == null ? null : design.control(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            abort.reason(),
            abort.pulls(),
            abort.costSpent(),
            List.of());
    return record(segmentContext, change, compiled, abort.specHash(), null, end);
  }

  private static ExperimentRecord record(
      SegmentContext segmentContext,
      SegmentEvent change,
      @Nullable CompiledSpec compiled,
      String specHash,
      @Nullable PhaseAudit phase,
      @Nullable TerminalAudit terminal) {
    return new ExperimentRecord(
        segmentContext.segment,
        change.writerEpoch(),
        change.seq(),
        change.eventTime(),
        compiled == null ? "" : compiled.spec().policy().name().wire(),
        specHash,
        compiled == null ? null : (Long) compiled.spec().version(),
        compiled == null ? null : design(compiled),
        phase,
        terminal,
        null);
  }

  private static @Nullable ExperimentDesign design(CompiledSpec compiled) {
    PhasedPolicy policy = compiled.experiment();
    return policy == null ? null : policy.experiment();
  }
}
