package io.equipoise.segmentspec;

/** Which arm wins among those whose index is the greatest within 1e-9. */
public enum Ties {
  /** The one listed first. */
  LOWEST("lowest"),
  /** One drawn by seed, segment and decision id. */
  SEEDED("seeded");

  private final String wire;

  Ties(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
