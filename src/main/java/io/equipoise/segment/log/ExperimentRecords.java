package io.equipoise.segment.log;

import io.equipoise.event.AbortReason;
import io.equipoise.event.ExperimentDesign;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.PhaseAudit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.TerminalAudit;
import io.equipoise.event.TerminalKind;
import io.equipoise.event.Versions;
import io.equipoise.policy.PhasedPolicy;
import io.equipoise.policy.PhasedPolicy.Progress;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentContext;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the records of the experiments topic from the phases of an experiment. */
public final class ExperimentRecords {
  private final SegmentEvent change;
  private final CompiledSpec compiled;

  /**
   * Describes an experiment that ended without a result.
   *
   * @param spec its spec, null if the registry has lost the text
   * @param specHash the hash of its spec
   */
  public record Abort(
      @Nullable CompiledSpec spec,
      String specHash,
      AbortReason reason,
      long pulls,
      double costSpent) {

    public static Abort of(SegmentContext segmentContext, Progress running, AbortReason reason) {
      return new Abort(
          segmentContext.spec,
          Objects.requireNonNull(segmentContext.head.specHash),
          reason,
          running.samples(),
          running.costSpent());
    }
  }

  /** Makes records that explain a logged change of a segment with this spec. */
  ExperimentRecords(SegmentEvent change, CompiledSpec compiled) {
    this.change = change;
    this.compiled = compiled;
  }

  ExperimentRecord of(PhaseAudit phase) {
    return record(change, compiled, compiled.spec().hash(), phase, null);
  }

  ExperimentRecord of(TerminalAudit end) {
    return record(change, compiled, compiled.spec().hash(), null, end);
  }

  /** Makes the record of an experiment that a logged change ended without a result. */
  static ExperimentRecord of(SegmentEvent change, Abort abort) {
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
    return record(change, compiled, abort.specHash(), null, end);
  }

  private static ExperimentRecord record(
      SegmentEvent change,
      @Nullable CompiledSpec compiled,
      String specHash,
      @Nullable PhaseAudit phase,
      @Nullable TerminalAudit terminal) {
    return new ExperimentRecord(
        change.place(),
        change.eventTime(),
        new Versions(
            specHash,
            compiled == null ? null : (Long) compiled.spec().version(),
            null,
            null,
            compiled == null ? null : compiled.fingerprint()),
        compiled == null ? "" : compiled.spec().policy().name().wire(),
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
