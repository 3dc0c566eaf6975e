package io.equipoise.event;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far the expected reward would move had a sensitive attribute been different, a prior bound
 * that was refuted, or a phase or the end of an experiment. Meaning and unit of every component are
 * documented in {@code avro/FairnessAudit.avsc}; times are epoch milliseconds.
 */
public record FairnessAudit(
    AuditKind kind,
    @Nullable String decisionId,
    String segment,
    int shard,
    int attempt,
    long seq,
    @Nullable String arm,
    @Nullable String attribute,
    @Nullable String factual,
    @Nullable String counterfactual,
    @Nullable AuditEffectKind effect,
    boolean identified,
    @Nullable Double estimate,
    @Nullable Double lower,
    @Nullable Double upper,
    @Nullable Double threshold,
    @Nullable AuditVerdict verdict,
    @Nullable AuditGuarantee guarantee,
    @Nullable Double priorShare,
    boolean certified,
    @Nullable Integer fairSetSize,
    @Nullable Double dual,
    @Nullable String foregone,
    String policy,
    @Nullable String specHash,
    @Nullable Long specNumber,
    long eventTime,
    @Nullable String priorHash,
    @Nullable Long priorNumber,
    Map<String, String> priorContext,
    @Nullable Double priorLower,
    @Nullable Double priorUpper,
    @Nullable PhaseAudit phase,
    @Nullable TerminalAudit terminal,
    boolean explored,
    @Nullable AuditVerdict foregoneVerdict,
    @Nullable Double cumulativeViolation,
    @Nullable Double cumulativeUpperViolation,
    @Nullable Double cumulativeSignedViolation,
    @Nullable Double leverage,
    @Nullable Double foregoneEstimate,
    @Nullable Double foregoneLower,
    @Nullable Double foregoneUpper,
    @Nullable Hidden hidden,
    @Nullable Double foregoneReward,
    @Nullable AuditRefuted refutedAssumption) {

  public FairnessAudit {
    priorContext = NameMap.copyOf(priorContext);
  }

  /** Returns the same with other levels, and what else of a record tells of some. */
  public FairnessAudit with(
      @Nullable String factual,
      @Nullable String counterfactual,
      Map<String, String> priorContext,
      @Nullable Double priorLower,
      @Nullable Double priorUpper,
      @Nullable PhaseAudit phase,
      @Nullable Double foregoneReward,
      @Nullable Hidden hidden) {
    return with(
        factual,
        counterfactual,
        priorContext,
        priorLower,
        priorUpper,
        phase,
        foregoneReward,
        hidden,
        estimate,
        lower,
        upper,
        true);
  }

  /** Returns the same with another estimate and interval. */
  public FairnessAudit with(
      @Nullable Double estimate, @Nullable Double lower, @Nullable Double upper) {
    return with(
        factual,
        counterfactual,
        priorContext,
        priorLower,
        priorUpper,
        phase,
        foregoneReward,
        hidden,
        estimate,
        lower,
        upper,
        true);
  }

  /** Returns the same of another phase. */
  public FairnessAudit with(@Nullable PhaseAudit phase) {
    return with(
        factual,
        counterfactual,
        priorContext,
        priorLower,
        priorUpper,
        phase,
        foregoneReward,
        hidden);
  }

  /** Returns the same without what follows from the levels of a person. */
  public FairnessAudit withoutNumbers() {
    return with(
        factual,
        counterfactual,
        priorContext,
        priorLower,
        priorUpper,
        phase,
        null,
        hidden,
        null,
        null,
        null,
        false);
  }

  private FairnessAudit with(
      @Nullable String factual,
      @Nullable String counterfactual,
      Map<String, String> priorContext,
      @Nullable Double priorLower,
      @Nullable Double priorUpper,
      @Nullable PhaseAudit phase,
      @Nullable Double foregoneReward,
      @Nullable Hidden hidden,
      @Nullable Double estimate,
      @Nullable Double lower,
      @Nullable Double upper,
      boolean areNumbersTold) {
    return new FairnessAudit(
        kind,
        decisionId,
        segment,
        shard,
        attempt,
        seq,
        arm,
        attribute,
        factual,
        counterfactual,
        effect,
        identified,
        estimate,
        lower,
        upper,
        threshold,
        verdict,
        guarantee,
        areNumbersTold ? priorShare : null,
        certified,
        fairSetSize,
        areNumbersTold ? dual : null,
        foregone,
        policy,
        specHash,
        specNumber,
        eventTime,
        priorHash,
        priorNumber,
        priorContext,
        priorLower,
        priorUpper,
        phase,
        terminal,
        explored,
        foregoneVerdict,
        areNumbersTold ? cumulativeViolation : null,
        areNumbersTold ? cumulativeUpperViolation : null,
        areNumbersTold ? cumulativeSignedViolation : null,
        areNumbersTold ? leverage : null,
        areNumbersTold ? foregoneEstimate : null,
        areNumbersTold ? foregoneLower : null,
        areNumbersTold ? foregoneUpper : null,
        hidden,
        foregoneReward,
        refutedAssumption);
  }
}
