package io.equipoise.event;

/**
 * Identifies a record in its segment's log by seq and by the writer epoch that wrote it. {@code
 * avro/Decision.avsc} documents the components.
 */
public record Place(String segment, int writerEpoch, long seq) {}
