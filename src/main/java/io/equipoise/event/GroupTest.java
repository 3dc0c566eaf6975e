package io.equipoise.event;

/**
 * Compares one group with all others. {@code avro/WatchRecord.avsc} documents the meaning and unit
 * of every component.
 */
public record GroupTest(
    String level,
    long rows,
    double sum,
    long missing,
    long otherRows,
    double otherSum,
    long otherMissing,
    double low,
    double high,
    double logEvalue,
    boolean alarm,
    boolean flagged) {}
