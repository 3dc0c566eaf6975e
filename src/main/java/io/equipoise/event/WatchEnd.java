package io.equipoise.event;

/** Names why a registration ended. */
public enum WatchEnd {
  /** A person ended it. */
  WITHDRAWN,
  /**
   * The segment adopted another spec than the one that the challenger is compared with, or, for a
   * monitor of rewards, one with another range of rewards.
   */
  CHAMPION_CHANGED,
  /** A decision has propensities that are shares of draws. */
  ESTIMATED_PROPENSITIES,
  /** A seq of the segment's log is missing. */
  LOG_GAP,
  /** More decisions wait for their rewards than the process may hold. */
  TOO_MANY_PENDING,
  /** The challenger's policy failed. */
  FAILED
}
