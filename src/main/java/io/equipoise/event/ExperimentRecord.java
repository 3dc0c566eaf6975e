package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports a closed phase of a best-arm experiment, or its end: exactly one of {@code phase} and
 * {@code terminal} is not null. {@code avro/ExperimentRecord.avsc} documents the meaning and unit
 * of every component; times are epoch ms.
 */
public record ExperimentRecord(
    Place place,
    long eventTime,
    Versions versions,
    String policy,
    @Nullable ExperimentDesign design,
    @Nullable PhaseAudit phase,
    @Nullable TerminalAudit terminal,
    @Nullable Redaction redaction)
    implements Explanation {

  /** Returns a copy with another design and phase. */
  public ExperimentRecord with(
      @Nullable ExperimentDesign design,
      @Nullable PhaseAudit phase,
      @Nullable Redaction redaction) {
    return new ExperimentRecord(
        place, eventTime, versions, policy, design, phase, terminal, redaction);
  }
}
