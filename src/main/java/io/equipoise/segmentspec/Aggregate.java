package io.equipoise.segmentspec;

/** How the rewards of one decision become the one that is learned. */
public enum Aggregate {
  /** The first; there is no second. {@link Learn} says when it is learned. */
  FIRST("first"),
  /** The sum at the end of the window; a bounded {@code reward.range} must hold it. */
  SUM("sum"),
  /** The mean at the end of the window. */
  MEAN("mean"),
  /** The least at the end of the window. */
  MIN("min"),
  /** The greatest at the end of the window. */
  MAX("max"),
  /** The one with the latest event time at the end of the window. */
  LAST("last");

  private final String wire;

  Aggregate(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
