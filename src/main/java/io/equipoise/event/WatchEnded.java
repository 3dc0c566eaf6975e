package io.equipoise.event;

/** The end of a registration; {@code avro/WatchRecord.avsc} documents the components. */
public record WatchEnded(WatchEnd reason, String message) {}
