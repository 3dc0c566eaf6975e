package io.equipoise.event;

/** Says what happened to the state of a segment. */
public enum SegmentEventType {
  /**
   * A reward settled a decision; or, with the reason UNKNOWN_ARM, it closed it not learned, as it
   * is of another of the request's own candidates, of which nothing is remembered.
   */
  REWARD_APPLIED,
  /** A reward joined an aggregate. */
  REWARD_BUFFERED,
  /** A decision got no reward within its window. */
  REWARD_TIMEOUT,
  /** The window of an aggregate ended. */
  WINDOW_CLOSED,
  /** The segment took up a spec. */
  SPEC_ADOPTED,
  /** The segment took up causal bounds. */
  BOUNDS_ADOPTED,
  /** A phase of an experiment ended. */
  PHASE_CLOSED,
  /** A pending decision was dropped because there were too many. */
  DECISION_EVICTED,
  /** A remembered decision id was dropped because there were too many. */
  DEDUP_ENTRY_EVICTED,
  /** An idle segment gave up its state. */
  SEGMENT_PASSIVATED,
  /** A segment that had given up its state came back. */
  SEGMENT_ACTIVATED,
  /** The rewards refuted an assumption of the spec. */
  ASSUMPTION_REFUTED,
  /** The rewards refuted a row of the causal bounds. */
  BOUNDS_REFUTED
}
