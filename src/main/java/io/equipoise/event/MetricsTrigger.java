package io.equipoise.event;

/** Says what caused a snapshot of the metrics. */
public enum MetricsTrigger {
  /** A number of events. */
  COUNT,
  /** Event time. */
  EVENT_TIME
}
