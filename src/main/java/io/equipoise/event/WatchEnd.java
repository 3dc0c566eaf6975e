package io.equipoise.event;

/** Names why a registration ended; {@code avro/WatchRecord.avsc} documents the words. */
public enum WatchEnd {
  WITHDRAWN,
  CHAMPION_CHANGED,
  ESTIMATED_PROPENSITIES,
  LOG_GAP,
  TOO_MANY_PENDING,
  FAILED
}
