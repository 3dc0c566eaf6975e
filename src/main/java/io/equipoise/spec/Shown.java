package io.equipoise.spec;

/** Whether the learner may assume that an arm was shown because it was decided. */
public enum Shown {
  /** It may, so a silent decision gets the default reward. */
  ASSUMED("assumed"),
  /** Only a reward says so; a silent decision is never given the default reward. */
  CONFIRMED("confirmed");

  private final String wire;

  Shown(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
