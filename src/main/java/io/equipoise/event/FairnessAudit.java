package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * How far the expected reward of a decision would move had a sensitive attribute been different.
 * Meaning and unit of every component are documented in {@code avro/FairnessAudit.avsc}; times are
 * epoch milliseconds.
 */
public record FairnessAudit(
    String decisionId,
    String segment,
    int writerEpoch,
    long seq,
    long eventTime,
    String policy,
    String specHash,
    long specVersion,
    String arm,
    boolean certified,
    boolean explored,
    @Nullable Integer fairSetSize,
    AuditedEffect effect,
    double threshold,
    AuditVerdict verdict,
    AuditGuarantee guarantee,
    @Nullable AuditRefuted refutedAssumption,
    @Nullable Double dual,
    @Nullable ExcludedCandidate excluded,
    @Nullable CumulativeViolation cumulativeViolation,
    @Nullable Redaction redaction)
    implements Explanation {

  /** Returns the same audit with another effect and excluded candidate. */
  public FairnessAudit with(
      AuditedEffect effect, @Nullable ExcludedCandidate excluded, @Nullable Redaction redaction) {
    return with(effect, dual, excluded, cumulativeViolation, redaction);
  }

  /** Returns the same audit without the numbers that follow from the levels of a person. */
  public FairnessAudit withoutNumbers() {
    return with(
        effect.withoutNumbers(),
        null,
        excluded == null ? null : excluded.withoutNumbers(),
        null,
        redaction);
  }

  private FairnessAudit with(
      AuditedEffect effect,
      @Nullable Double dual,
      @Nullable ExcludedCandidate excluded,
      @Nullable CumulativeViolation cumulativeViolation,
      @Nullable Redaction redaction) {
    return new FairnessAudit(
        decisionId,
        segment,
        writerEpoch,
        seq,
        eventTime,
        policy,
        specHash,
        specVersion,
        arm,
        certified,
        explored,
        fairSetSize,
        effect,
        threshold,
        verdict,
        guarantee,
        refutedAssumption,
        dual,
        excluded,
        cumulativeViolation,
        redaction);
  }
}
