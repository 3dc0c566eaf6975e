package io.equipoise.event;

/**
 * The place of a record in its segment's log. {@code avro/Decision.avsc} documents the components.
 */
public record Place(String segment, int writerEpoch, long seq) {}
