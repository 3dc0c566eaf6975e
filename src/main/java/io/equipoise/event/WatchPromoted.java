package io.equipoise.event;

/**
 * Records the publication of a challenger whose gate passed; {@code avro/WatchRecord.avsc}
 * documents the components.
 */
public record WatchPromoted(String specKey, boolean modelKept, WatchEvidence evidence) {}
