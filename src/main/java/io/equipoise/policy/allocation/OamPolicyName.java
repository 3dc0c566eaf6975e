package io.equipoise.policy.allocation;

import io.equipoise.segmentspec.PolicyName;

/** Names the policies that plan allocations. */
public enum OamPolicyName implements PolicyName {
  /** Optimal allocation matching over a table of contexts and arms (Hao et al. 2020). */
  OAM("oam"),
  /** {@link #OAM} with causal bounds (Huang and Wu 2023, Algorithm 5). */
  OAM_PCB("oam-pcb");

  private final String wire;

  OamPolicyName(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
