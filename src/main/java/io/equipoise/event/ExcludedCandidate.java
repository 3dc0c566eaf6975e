package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * The better-paid candidate that the fairness constraint excluded. Meaning and unit of every
 * component are documented in {@code avro/FairnessAudit.avsc}.
 */
public record ExcludedCandidate(
    String arm,
    @Nullable Double reward,
    @Nullable AuditVerdict verdict,
    @Nullable Double estimate,
    @Nullable Double lower,
    @Nullable Double upper) {

  /** Returns the same candidate with another reward. */
  public ExcludedCandidate withReward(@Nullable Double reward) {
    return new ExcludedCandidate(arm, reward, verdict, estimate, lower, upper);
  }

  /** Returns the same candidate without its numbers. */
  public ExcludedCandidate withoutNumbers() {
    return new ExcludedCandidate(arm, null, verdict, null, null, null);
  }
}
