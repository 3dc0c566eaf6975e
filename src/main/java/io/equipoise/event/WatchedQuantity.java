package io.equipoise.event;

/** Names the quantity whose means a group monitor compares. */
public enum WatchedQuantity {
  REWARD,
  /** 1 if the decided arm is one of the named arms, else 0. */
  ARM
}
