package io.equipoise.event;

/** Says why an arm, or none, was chosen. */
public enum DecisionReason {
  /** To learn. */
  EXPLORE,
  /** As the best known. */
  EXPLOIT,
  /** No candidate met the constraint: an arm that the spec names for that. */
  FALLBACK,
  /** No candidate met the constraint: an arm of the policy's own choice, without a certificate. */
  UNCERTIFIED,
  /** The constraint forced an exploration. */
  FORCED_EXPLORATION,
  /** An experiment asked for it. */
  SAMPLE,
  /** An experiment pauses. */
  NOT_SAMPLED,
  /** An experiment has ended and serves its recommendation. */
  RECOMMENDED,
  /** The context failed validation. */
  REJECTED,
  /** The context came after its {@code deadline}. */
  DEADLINE_EXCEEDED,
  /** The decision id was answered before, with this arm. */
  REPEATED;

  /** Says whether a policy chose the arm: not where an input was refused or repeated. */
  public boolean isChoice() {
    return this != REJECTED && this != DEADLINE_EXCEEDED && this != REPEATED;
  }

  /** Says whether no candidate met the constraint. */
  public boolean isWithoutCertificate() {
    return this == FALLBACK || this == UNCERTIFIED;
  }

  /** Says whether a reward of the decision is waited for, because something learns from it. */
  public boolean isLearned() {
    return isChoice() && this != NOT_SAMPLED && this != RECOMMENDED;
  }
}
