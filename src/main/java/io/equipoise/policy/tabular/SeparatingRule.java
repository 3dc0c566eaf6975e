package io.equipoise.policy.tabular;

/** How the set W is found whose values are the cells of the reward model. */
public enum SeparatingRule {
  /** All context, sensitive and action variables; the only rule of {@code ucb}. */
  ALL("all"),
  /** The parents of the reward; the only rule of {@code c-ucb}. */
  PARENTS("parents"),
  /** The d-separating set with the fewest cells; the default of {@code d-ucb} and {@code f-ucb}. */
  CHEAPEST("cheapest"),
  /** The set that the spec lists, checked for d-separation. */
  DECLARED("declared");

  private final String wire;

  SeparatingRule(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file; a declared set is written as a list instead. */
  public String wire() {
    return wire;
  }
}
