package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * Relates an audited effect to the threshold: the verdict and its guarantee. {@code
 * avro/FairnessAudit.avsc} documents the components.
 */
public record AuditConclusion(
    double threshold,
    EffectUnit unit,
    AuditVerdict verdict,
    AuditGuarantee guarantee,
    @Nullable AuditRefuted refutedAssumption) {}
