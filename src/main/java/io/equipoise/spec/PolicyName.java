package io.equipoise.spec;

/**
 * The policies of Huang, Zhang and Wu 2022 and others, by their names in specs and on every wire.
 */
public enum PolicyName {
  /** One cell for each context and arm. */
  UCB("ucb"),
  /** One cell for each value of the reward's parents. */
  C_UCB("c-ucb"),
  /** One cell for each value of a d-separating set. */
  D_UCB("d-ucb"),
  /** {@link #D_UCB} among the arms that are certified fair. */
  F_UCB("f-ucb"),
  /** {@link #UCB} with its index clipped into prior causal bounds. */
  UCB_PCB("ucb-pcb");

  private final String wire;

  PolicyName(String wire) {
    this.wire = wire;
  }

  /** Says whether each context and arm have a cell of their own; the untried is tried first. */
  public boolean isOneCell() {
    return this == UCB || this == UCB_PCB;
  }

  /** Returns the name in specs, JSON and on Kafka. */
  public String wire() {
    return wire;
  }
}
