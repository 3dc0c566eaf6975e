package io.equipoise.policy.linear;

import io.equipoise.segmentspec.PolicyName;

/** Names the policies with linear rewards. */
public enum LinearPolicyName implements PolicyName {
  /** Upper confidence bounds of a ridge regression (Li et al. 2010). */
  LINUCB("linucb"),
  /** {@link #LINUCB} that does not see the sensitive attribute and what stands for it. */
  LINUCB_UNAWARE("linucb-unaware"),
  /** {@link #LINUCB} with a push towards the group that is behind (Huang et al. 2022). */
  FAIR_LINUCB("fair-linucb"),
  /** Thompson sampling of a ridge regression (Agrawal and Goyal 2013). */
  LIN_TS("lin-ts"),
  /** The best mean of a ridge regression, but for a share of uniform draws. */
  EPSILON_GREEDY("epsilon-greedy"),
  /** {@link #LINUCB} with its index clipped into causal bounds (Huang and Wu 2023). */
  LINUCB_PCB("linucb-pcb"),
  /** {@link #LINUCB} that takes the log's mean of each arm for rewards (Huang and Wu 2023). */
  LINUCB_BIASED("linucb-biased"),
  /** {@link #LINUCB} that takes the log's mean of each arm and context for rewards. */
  LINUCB_CP("linucb-cp");

  private final String wire;

  LinearPolicyName(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }

  @Override
  public boolean isRandomized() {
    return this == LIN_TS;
  }

  /** Returns whether its index is as wide as use needs, unless a spec says otherwise. */
  boolean hasOwnWidth() {
    return this == LINUCB || this == LINUCB_UNAWARE;
  }

  /** Returns whether it takes offline evidence for rewards. */
  public boolean hasWarmStart() {
    return this == LINUCB_BIASED || this == LINUCB_CP;
  }
}
