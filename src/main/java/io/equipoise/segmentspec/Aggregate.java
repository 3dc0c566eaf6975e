package io.equipoise.segmentspec;

/** Names how the rewards of one decision become the one that is learned. */
public enum Aggregate implements Word {
  /** The first; there is no second. {@link Learn} says when it is learned. */
  FIRST,
  /** The sum at the end of the window; a bounded {@code reward.range} must hold it. */
  SUM,
  /** The mean at the end of the window. */
  MEAN,
  /** The least at the end of the window. */
  MIN,
  /** The greatest at the end of the window. */
  MAX,
  /** The one with the latest event time at the end of the window. */
  LAST
}
