package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports the candidate with a higher reward that the fairness constraint excluded. {@code
 * avro/FairnessAudit.avsc} documents the meaning and unit of every component.
 */
public record ExcludedCandidate(
    String arm,
    @Nullable Double reward,
    @Nullable AuditVerdict verdict,
    @Nullable Double estimate,
    @Nullable Double lower,
    @Nullable Double upper) {

  /** Returns a copy with another reward. */
  public ExcludedCandidate withReward(@Nullable Double reward) {
    return new ExcludedCandidate(arm, reward, verdict, estimate, lower, upper);
  }

  /** Returns a copy without its numbers. */
  public ExcludedCandidate withoutNumbers() {
    return new ExcludedCandidate(arm, null, verdict, null, null, null);
  }
}
