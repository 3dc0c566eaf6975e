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
    @Nullable Double foregoneUpper) {

  public FairnessAudit {
    priorContext = NameMap.copyOf(priorContext);
  }
}
