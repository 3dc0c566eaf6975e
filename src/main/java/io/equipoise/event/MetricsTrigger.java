package io.equipoise.event;

/** Names the cause of a metrics snapshot. */
public enum MetricsTrigger {
  /** A number of events. */
  COUNT,
  EVENT_TIME
}
