package io.equipoise.spec;

/** The policies of Huang, Zhang and Wu 2022 by the names they have in specs and on every wire. */
public enum PolicyName {
  /** One cell for each context and arm. */
  UCB("ucb"),
  /** One cell for each value of the reward's parents. */
  C_UCB("c-ucb"),
  /** One cell for each value of a d-separating set. */
  D_UCB("d-ucb"),
  /** {@link #D_UCB} among the arms that are certified fair. */
  F_UCB("f-ucb");

  private final String wire;

  PolicyName(String wire) {
    this.wire = wire;
  }

  /** Returns the name in specs, JSON and on Kafka. */
  public String wire() {
    return wire;
  }
}
