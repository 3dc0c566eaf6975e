package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Reports by how much the expected reward of a decision would change if a sensitive attribute were
 * different. {@code avro/FairnessAudit.avsc} documents the meaning and unit of every component;
 * times are epoch ms.
 */
public record FairnessAudit(
    String decisionId,
    Place place,
    long eventTime,
    Versions versions,
    String policy,
    String arm,
    boolean certified,
    boolean explored,
    @Nullable Integer fairSetSize,
    AuditedEffect effect,
    AuditConclusion conclusion,
    @Nullable Double dual,
    @Nullable ExcludedCandidate excluded,
    @Nullable CumulativeViolation cumulativeViolation,
    @Nullable Redaction redaction)
    implements Explanation {

  /**
   * Returns whether the estimated effect is beyond the threshold. Where the estimate is redacted,
   * the verdict says it.
   */
  public boolean isBeyondThreshold() {
    Double estimate = effect.estimate();
    return estimate == null
        ? verdict() == AuditVerdict.UNFAIR || verdict() == AuditVerdict.UNCERTAIN
        : Math.abs(estimate) > threshold();
  }

  /** Returns the largest admissible absolute effect, in the unit of the conclusion. */
  public double threshold() {
    return conclusion.threshold();
  }

  /** Returns what the interval says about the threshold. */
  public AuditVerdict verdict() {
    return conclusion.verdict();
  }

  /** Returns the strength of the interval. */
  public AuditGuarantee guarantee() {
    return conclusion.guarantee();
  }

  /** Returns a copy with another effect and excluded candidate. */
  public FairnessAudit with(
      AuditedEffect effect, @Nullable ExcludedCandidate excluded, @Nullable Redaction redaction) {
    return with(effect, dual, excluded, cumulativeViolation, redaction);
  }

  /** Returns a copy without the numbers that follow from a person's levels. */
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
        place,
        eventTime,
        versions,
        policy,
        arm,
        certified,
        explored,
        fairSetSize,
        effect,
        conclusion,
        dual,
        excluded,
        cumulativeViolation,
        redaction);
  }
}
