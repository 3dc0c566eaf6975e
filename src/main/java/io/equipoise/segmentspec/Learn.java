package io.equipoise.segmentspec;

/** Names when the reward of a decision that takes one ({@link Aggregate#FIRST}) is learned. */
public enum Learn implements Word {
  /** As soon as it arrives. */
  ON_ARRIVAL,
  /** At the end of the window, so that fast rewards count no earlier than slow ones. */
  ON_WINDOW_CLOSE
}
