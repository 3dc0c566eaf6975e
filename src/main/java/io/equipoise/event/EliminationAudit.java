package io.equipoise.event;

/**
 * One reason why an experiment dropped an arm. Meaning and unit of every component are documented
 * in {@code avro/ExperimentRecord.avsc}.
 */
public record EliminationAudit(String arm, EliminationReason reason, double value, double bound) {}
