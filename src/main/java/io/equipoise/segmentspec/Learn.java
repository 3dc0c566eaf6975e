package io.equipoise.segmentspec;

/** When the reward of a decision that takes one ({@link Aggregate#FIRST}) is learned. */
public enum Learn implements Word {
  /** As soon as it comes. */
  ON_ARRIVAL,
  /** At the end of the window, so that what comes fast counts no earlier than what comes slowly. */
  ON_WINDOW_CLOSE
}
