package io.equipoise.spec;

/** What becomes of a prior bound that the rewards observed have refuted. */
public enum Refuted {
  /** It clips no more. */
  IGNORE("ignore"),
  /** It clips on; that it was refuted is on the audit topic. */
  KEEP("keep");

  private final String wire;

  Refuted(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
