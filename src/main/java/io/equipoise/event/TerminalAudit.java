package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the end of an experiment. {@code avro/ExperimentRecord.avsc} documents the meaning and
 * unit of every component.
 */
public record TerminalAudit(
    TerminalKind kind,
    @Nullable String arm,
    @Nullable String by,
    @Nullable Integer place,
    @Nullable Double margin,
    @Nullable Double delta,
    @Nullable AuditGuarantee guarantee,
    @Nullable String runnerUp,
    @Nullable Double runnerUpReward,
    @Nullable Boolean proved,
    @Nullable AbortReason abortReason,
    long samples,
    double costSpent,
    List<ArmAudit> arms) {

  public TerminalAudit {
    arms = List.copyOf(arms);
  }
}
