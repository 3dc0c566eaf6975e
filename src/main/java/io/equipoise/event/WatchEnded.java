package io.equipoise.event;

/** Ends a registration; {@code avro/WatchRecord.avsc} documents the components. */
public record WatchEnded(WatchEnd reason, String message) {}
