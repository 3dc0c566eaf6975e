package io.equipoise.segmentspec;

/** Whether the learner may assume that an arm was shown because it was decided. */
public enum ShownRule {
  /** It may, so a silent decision gets the default reward. */
  ASSUMED("assumed"),
  /** Only a reward says so; a silent decision is never given the default reward. */
  CONFIRMED("confirmed");

  private final String wire;

  ShownRule(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
