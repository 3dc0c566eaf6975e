package io.equipoise.segmentspec;

/**
 * Identifies a policy by its name in specs and on every wire. The family of the policy lists its
 * names.
 */
public interface PolicyName {
  /** Returns the name in specs, JSON and on Kafka. */
  String wire();

  /** Returns whether effects restrict or price the choice by the policy's own definition. */
  default boolean isConstrained() {
    return false;
  }

  /** Returns whether the rule itself draws the arm, apart from ties and exploration. */
  default boolean isRandomized() {
    return false;
  }
}
