package io.equipoise.policy.logistic;

import io.equipoise.segmentspec.PolicyName;

/** Lists the logistic policies by the names they have in specs and on every wire. */
public enum LogisticPolicyName implements PolicyName {
  /** Filippi et al. 2010: an additive bonus, no constraint. */
  GLM_UCB("glm-ucb"),
  /** Lee, Yun and Jun 2024: the optimistic parameter of the confidence set, no constraint. */
  OFULOG("ofulog"),
  /** Chen, Tian and Quinn 2025, Algorithm 1: {@link #OFULOG} with a dual penalty. */
  CCLB("cclb"),
  /** Chen, Tian and Quinn 2025, Algorithm 2: {@link #CCLB} with a tightness eps. */
  EPS_CCLB("eps-cclb"),
  /** A dual penalty on the upper end of the effect. */
  DUAL_UPPER("dual-upper"),
  /** A screen whose slack shrinks; the production default. */
  SCREEN("screen"),
  /** {@link #SCREEN} with exploration forced where overlap is missing. */
  FORCED_EXPLORATION("forced-exploration");

  private final String wire;

  LogisticPolicyName(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }

  @Override
  public boolean isConstrained() {
    return this != GLM_UCB && this != OFULOG;
  }

  /** Returns whether its index is as wide as use needs, unless a spec says otherwise. */
  boolean hasOwnWidth() {
    return this != GLM_UCB;
  }

  boolean hasScreen() {
    return this == SCREEN || this == FORCED_EXPLORATION;
  }
}
