package io.equipoise.policy.bestarm;

import io.equipoise.segmentspec.Word;

/** Selects the estimate of the effect of S on the reward. */
public enum FairnessEstimate implements Word {
  /** Equations 4 and 11 of the paper: one group's samples weighted by r (P_s / P_s' - 1). */
  COUNTERFACTUAL,
  /**
   * The difference of the groups' own reward estimates. S is a root, so it estimates the same, and
   * needs neither P(ch S | S) nor its divergences.
   */
  DIRECT
}
