package io.equipoise.policy;

/** Why an arm was chosen. */
public enum ChoiceReason {
  /** Another eligible arm has the better sample mean; this one is less known. */
  EXPLORE,
  /** The best sample mean among the eligible arms. */
  EXPLOIT,
  /** No arm is certified fair: a known safe arm, or the one with the smallest certificate. */
  FALLBACK,
  /** Exploration demanded by a lack of overlap. */
  FORCED_EXPLORATION,
  /** An experiment takes a sample. */
  SAMPLE,
  /** An experiment runs, but this decision is no sample of it. */
  NOT_SAMPLED,
  /** An experiment is over and serves what it recommends. */
  RECOMMENDED;

  /** Says whether a reward of the decision is waited for, because something learns from it. */
  public boolean isLearned() {
    return this != NOT_SAMPLED && this != RECOMMENDED;
  }
}
