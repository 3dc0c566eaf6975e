package io.equipoise.bandit;

/** Why an arm was chosen. */
public enum Why {
  /** Another eligible arm has the better sample mean; this one is less known. */
  EXPLORE,
  /** The best sample mean among the eligible arms. */
  EXPLOIT,
  /** No arm is certified fair: a known safe arm, or the one with the smallest certificate. */
  FALLBACK,
  /** Exploration demanded by a lack of coverage. */
  FORCED,
  /** An experiment takes a sample. */
  PULL,
  /** An experiment runs, but this decision is no sample of it. */
  HOLD,
  /** An experiment is over and serves what it recommends. */
  SERVE;

  /** Says whether a reward of the decision is waited for, because something learns from it. */
  public boolean isLearnt() {
    return this != HOLD && this != SERVE;
  }
}
