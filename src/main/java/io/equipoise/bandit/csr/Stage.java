package io.equipoise.bandit.csr;

/** What a phase looks for. */
public enum Stage {
  /** Fairness and reward at once: CSR. */
  JOINT,
  /** Unfair arms only: the first half of a two-stage search. */
  FAIRNESS,
  /** The best of those left: the second half. */
  REWARD
}
