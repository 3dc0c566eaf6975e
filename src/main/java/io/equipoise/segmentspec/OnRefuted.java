package io.equipoise.segmentspec;

/** What becomes of verdicts once the rewards observed have refuted an assumption of the spec. */
public enum OnRefuted {
  /** CERTIFIED_FAIR and UNFAIR become UNCERTAIN. */
  WITHHOLD("withhold"),
  /** They stay; every record says that the refutation was ignored. */
  IGNORE("ignore");

  private final String wire;

  OnRefuted(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
