package io.equipoise.policy.bestarm;

/** Names what a phase looks for. */
public enum SearchStage {
  /** Fairness and reward at once: CSR. */
  JOINT,
  /** Unfair arms only: the first half of a two-stage search. */
  FAIRNESS,
  /** The best of those left: the second half. */
  REWARD
}
