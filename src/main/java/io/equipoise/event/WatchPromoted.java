package io.equipoise.event;

/**
 * The publication of a challenger whose gate passed; {@code avro/WatchRecord.avsc} documents the
 * components.
 */
public record WatchPromoted(String specKey, boolean modelKept, WatchEvidence evidence) {}
