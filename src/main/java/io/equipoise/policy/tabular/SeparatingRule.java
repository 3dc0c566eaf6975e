package io.equipoise.policy.tabular;

import io.equipoise.segmentspec.Word;

/** Selects how the set W is found whose values are the cells of the reward model. */
public enum SeparatingRule implements Word {
  /** All context, sensitive and action variables; the only rule of {@code ucb}. */
  ALL,
  /** The parents of the reward; the only rule of {@code c-ucb}. */
  PARENTS,
  /** The d-separating set with the fewest cells; the default of {@code d-ucb} and {@code f-ucb}. */
  CHEAPEST,
  /** The set that the spec lists, checked for d-separation. */
  DECLARED
}
