package io.equipoise.policy.tabular;

import io.equipoise.segmentspec.PolicyName;

/** Names the policies over cells. */
public enum TabularPolicyName implements PolicyName {
  /** One cell for each context and arm. */
  UCB("ucb"),
  /** One cell for each value of the reward's parents. */
  C_UCB("c-ucb"),
  /** One cell for each value of a d-separating set. */
  D_UCB("d-ucb"),
  /** {@link #D_UCB} among the arms that are certified fair. */
  F_UCB("f-ucb"),
  /** {@link #UCB} with its index clipped into causal bounds. */
  UCB_PCB("ucb-pcb");

  private final String wire;

  TabularPolicyName(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }

  @Override
  public boolean isConstrained() {
    return this == F_UCB;
  }

  /** Returns whether each context and arm have a cell of their own; the untried is tried first. */
  public boolean isOneCell() {
    return this == UCB || this == UCB_PCB;
  }
}
