package io.equipoise.event;

import org.jspecify.annotations.Nullable;

/** Ends a registration; {@code avro/WatchRecord.avsc} documents the components. */
public record WatchEnded(WatchEnd reason, String message, @Nullable String adopted) {
  /** Ends a registration for another reason than an adopted spec. */
  public WatchEnded(WatchEnd reason, String message) {
    this(reason, message, null);
  }
}
