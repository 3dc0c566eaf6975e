package io.equipoise.event;

/**
 * Counts the samples of one kind and arm in a phase. {@code avro/ExperimentRecord.avsc} documents
 * the meaning and unit of every component.
 */
public record ShareAudit(int type, String arm, double share, int samples) {}
