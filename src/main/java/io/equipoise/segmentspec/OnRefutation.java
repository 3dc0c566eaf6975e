package io.equipoise.segmentspec;

/** What becomes of a causal bound that the rewards observed have refuted. */
public enum OnRefutation {
  /** It clips no more. */
  IGNORE("ignore"),
  /** It clips on; the outcome BOUNDS_REFUTED says so. */
  KEEP("keep");

  private final String wire;

  OnRefutation(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
