package io.equipoise.segmentspec;

/** When the reward of a decision that takes one ({@link Aggregate#FIRST}) is learned. */
public enum Learn {
  /** As soon as it comes. */
  ON_ARRIVAL("on-arrival"),
  /** At the end of the window, so that what comes fast counts no earlier than what comes slowly. */
  ON_WINDOW_CLOSE("on-window-close");

  private final String wire;

  Learn(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
