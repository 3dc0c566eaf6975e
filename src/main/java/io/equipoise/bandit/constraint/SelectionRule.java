package io.equipoise.bandit.constraint;

/** Selects a candidate of a request from what a reward model says of them. */
public sealed interface SelectionRule permits Lagrangian, HardConstraint, ShrinkingScreen {
  /**
   * Selects; pure.
   *
   * @param duals state before this decision
   * @param start where the scan begins, so that it decides ties
   */
  Selection select(Prospects prospects, DualBlock duals, int start);
}
