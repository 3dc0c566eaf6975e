package io.equipoise.event;

/**
 * How many samples of one kind and arm a phase took. Meaning and unit of every component are
 * documented in {@code avro/ExperimentRecord.avsc}.
 */
public record ShareAudit(int type, String arm, double share, int samples) {}
