package io.equipoise.spec;

/** When the reward of a decision that takes one ({@link Aggregate#FIRST}) is learnt. */
public enum Release {
  /** As soon as it comes. */
  AT_ONCE("at-once"),
  /** At the end of the window, so that what comes fast counts no earlier than what comes slowly. */
  WINDOW_CLOSE("window-close");

  private final String wire;

  Release(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
