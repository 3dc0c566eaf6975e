package io.equipoise.event;

/** Names the kind of a change of a segment's state. */
public enum SegmentEventType {
  /**
   * A reward settled a decision. With the reason UNKNOWN_ARM it closed the decision without
   * learning, because it is for another candidate of the request, whose features are not stored.
   */
  REWARD_APPLIED,
  /** A reward joined an aggregate. */
  REWARD_BUFFERED,
  /** A decision got no reward within its window. */
  REWARD_TIMEOUT,
  /** The window of an aggregate ended. */
  WINDOW_CLOSED,
  SPEC_ADOPTED,
  BOUNDS_ADOPTED,
  /** A phase of an experiment ended. */
  PHASE_CLOSED,
  /** A pending decision was dropped because there were too many. */
  DECISION_EVICTED,
  /** A remembered decision id was dropped because there were too many. */
  DEDUP_ENTRY_EVICTED,
  SEGMENT_PASSIVATED,
  /** A passivated segment was activated again. */
  SEGMENT_ACTIVATED,
  /** The rewards refuted an assumption of the spec. */
  ASSUMPTION_REFUTED,
  /** The rewards refuted a row of the causal bounds. */
  BOUNDS_REFUTED
}
