package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/**
 * What follows from an audited effect and the threshold. {@code avro/FairnessAudit.avsc} documents
 * the components.
 */
public record AuditConclusion(
    double threshold,
    EffectUnit unit,
    AuditVerdict verdict,
    AuditGuarantee guarantee,
    @Nullable AuditRefuted refutedAssumption) {}
