package io.equipoise.event;

/** Says what happened to the state of a segment. */
public enum OutcomeKind {
  /**
   * A reward settled a decision; or, as the detail says, it closed it unlearnt, as it is of another
   * of the request's own candidates, of which nothing is remembered.
   */
  APPLIED,
  /** A reward joined an aggregate. */
  COLLECTED,
  /** A decision got no reward within its window. */
  EXPIRED,
  /** The window of an aggregate ended. */
  WINDOW_CLOSED,
  /** The segment took up a spec. */
  SPEC_ADOPTED,
  /** The segment took up prior bounds. */
  PRIOR_ADOPTED,
  /** A phase of an experiment ended. */
  PHASE_CLOSED,
  /**
   * A pending decision or a tombstone was dropped because there were too many; or, as the detail
   * says, an idle segment gave up its state.
   */
  EVICTED,
  /** A segment that had given up its state came back. */
  REVIVED,
  /** The rewards refuted an assumption of the spec. */
  ASSUMPTION_REFUTED
}
