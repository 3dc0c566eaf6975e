package io.equipoise.segmentspec;

/** What a variable is to the decision. */
public enum VariableRole {
  /** Known of the person before the decision. */
  CONTEXT("context"),
  /** Known of the person, and protected: the audit asks what would change were it different. */
  SENSITIVE("sensitive"),
  /** Part of the arm: set by the decision. */
  ACTION("action"),
  /** Follows from person and arm, comes before the reward, and is observed with it. */
  MEDIATOR("mediator"),
  /** What is earned. Exactly one variable has this role. */
  REWARD("reward");

  private final String wire;

  VariableRole(String wire) {
    this.wire = wire;
  }

  /** Returns the word of the spec file. */
  public String wire() {
    return wire;
  }

  /** Says whether this is part of the context vector. */
  public boolean isFeature() {
    return this == CONTEXT || this == SENSITIVE;
  }
}
