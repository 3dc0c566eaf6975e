package io.equipoise.bandit.csr;

/** What a decision is to an experiment. */
public enum Role {
  /** A counted sample. */
  PULL,
  /** The experiment runs but has no quota for this context: the incumbent, not counted. */
  HOLD,
  /** The experiment is over: the arm it recommends, or the incumbent. */
  SERVE
}
