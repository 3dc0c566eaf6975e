package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * What a fairness audit compares, and the estimated effect. Meaning and unit of every component are
 * documented in {@code avro/FairnessAudit.avsc}.
 */
public record AuditedEffect(
    String attribute,
    @Nullable String factual,
    @Nullable String counterfactual,
    AuditEffectKind kind,
    boolean identified,
    @Nullable Double estimate,
    @Nullable Double lower,
    @Nullable Double upper,
    @Nullable Double unsupportedShare,
    @Nullable Double leverage) {

  /** Returns the same effect with other names of both levels. */
  public AuditedEffect withLevels(@Nullable String factual, @Nullable String counterfactual) {
    return new AuditedEffect(
        attribute,
        factual,
        counterfactual,
        kind,
        identified,
        estimate,
        lower,
        upper,
        unsupportedShare,
        leverage);
  }

  /** Returns the same effect without its numbers. */
  public AuditedEffect withoutNumbers() {
    return new AuditedEffect(
        attribute, factual, counterfactual, kind, identified, null, null, null, null, null);
  }
}
