package io.equipoise.segmentspec;

/** What a running segment does with a spec under which its statistics would mean something else. */
public enum OnIncompatibleChange implements Word {
  /** Keeps the old spec. */
  REJECT,
  /** Takes the new one and starts with an empty model. */
  RESET
}
