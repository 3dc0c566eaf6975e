package io.equipoise.segmentspec;

/** What a running segment does with a spec under which its statistics would mean something else. */
public enum OnIncompatibleChange {
  /** Keeps the old spec. */
  REJECT("reject"),
  /** Takes the new one and starts learning anew. */
  RESET("reset");

  private final String wire;

  OnIncompatibleChange(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
