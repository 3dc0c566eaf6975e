package io.equipoise.segmentspec;

/** Names the role of a variable in a decision. */
public enum VariableRole implements Word {
  /** Known of the person before the decision. */
  CONTEXT,
  /** Known of the person, and protected: the audit asks what would change were it different. */
  SENSITIVE,
  /** Part of the arm: set by the decision. */
  ACTION,
  /** Follows from person and arm, comes before the reward, and is observed with it. */
  MEDIATOR,
  /** The reward. Exactly one variable has this role. */
  REWARD;

  /** Returns whether this is part of the context vector. */
  public boolean isFeature() {
    return this == CONTEXT || this == SENSITIVE;
  }
}
