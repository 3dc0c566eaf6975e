package io.equipoise.policy;

/** What propensities mean. */
public enum PropensityKind {
  /** The probabilities with which the draw chose. */
  EXACT,
  /** Estimated from a number of draws. */
  ESTIMATED,
  /** The choice is a function of state and context; the vector is 1 for the chosen arm. */
  DETERMINISTIC
}
