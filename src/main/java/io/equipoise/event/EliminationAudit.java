package io.equipoise.event;

/**
 * Reports one reason why an experiment eliminated an arm. {@code avro/ExperimentRecord.avsc}
 * documents the meaning and unit of every component.
 */
public record EliminationAudit(String arm, EliminationReason reason, double value, double bound) {}
