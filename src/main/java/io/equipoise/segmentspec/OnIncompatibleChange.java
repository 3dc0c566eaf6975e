package io.equipoise.segmentspec;

/**
 * Decides what a running segment does with a spec under which its statistics would mean something
 * else.
 */
public enum OnIncompatibleChange implements Word {
  /** Keeps the old spec. */
  REJECT,
  /** Adopts the new spec and starts with an empty model. */
  RESET
}
