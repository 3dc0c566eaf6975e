package io.equipoise.policy.constraint;

/** How effects restrict the choice. */
public enum Constraint {
  /** They do not. */
  NONE("none"),
  /** Only arms whose effects are certified to be within tau. */
  HARD("hard"),
  /** A price on effects beyond tau. */
  DUAL("dual"),
  /** A price on effects whose upper end is beyond tau. */
  DUAL_UPPER("dual-upper"),
  /** Only arms whose effects may be fair and exceed tau by at most a slack that shrinks. */
  SCREEN("screen");

  private final String wire;

  Constraint(String wire) {
    this.wire = wire;
  }

  /** Says whether it moves a dual variable by how far effects are from tau. */
  public boolean isPrice() {
    return this == DUAL || this == DUAL_UPPER;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }
}
