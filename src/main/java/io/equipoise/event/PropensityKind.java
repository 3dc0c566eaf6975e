package io.equipoise.event;

/** Says how the propensities of a decision are known. */
public enum PropensityKind {
  /** Computed. */
  EXACT,
  /** Estimated by draws. */
  ESTIMATED,
  /** 0 and 1. */
  DETERMINISTIC
}
