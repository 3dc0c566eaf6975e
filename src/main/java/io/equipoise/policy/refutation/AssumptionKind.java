package io.equipoise.policy.refutation;

/** Names what a spec assumes. The names are those of the wire. */
public enum AssumptionKind {
  /** A given table is the distribution of its variable. */
  TABLE,
  /** Given the variables of a cell, the reward does not depend on another variable. */
  INDEPENDENCE,
  /** The mean reward of every cell lies in the declared range. */
  RANGE,
  /** Rewards are sub-Gaussian with the declared scale, given their cell. */
  SCALE,
  /** The mean reward of a cell does not change over time. */
  STABILITY,
  /** The coefficients of a model are at most as large as the assumed norm. */
  NORM
}
