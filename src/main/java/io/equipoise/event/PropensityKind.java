package io.equipoise.event;

/**
 * Names how the propensities of a decision are known. The order is part of the state layout: append
 * only.
 */
public enum PropensityKind {
  /** Computed. */
  EXACT,
  /** Estimated by draws; the decision says by how many. */
  ESTIMATED,
  /** 0 and 1. */
  DETERMINISTIC
}
