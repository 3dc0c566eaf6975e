package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Describes the comparison of a fairness audit, and the estimated effect. {@code
 * avro/FairnessAudit.avsc} documents the meaning and unit of every component.
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
    @Nullable Double leverage,
    @Nullable AuditInterval interval,
    @Nullable Double information,
    @Nullable Double imbalance) {

  /** Returns a copy with other names of both levels. */
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
        leverage,
        interval,
        information,
        imbalance);
  }

  /** Returns a copy without its numbers. */
  public AuditedEffect withoutNumbers() {
    return new AuditedEffect(
        attribute,
        factual,
        counterfactual,
        kind,
        identified,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
