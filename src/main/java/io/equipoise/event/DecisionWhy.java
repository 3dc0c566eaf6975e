package io.equipoise.event;

/** Says why an arm, or none, was chosen. */
public enum DecisionWhy {
  /** To learn. */
  EXPLORE,
  /** As the best known. */
  EXPLOIT,
  /** No candidate met the constraint: the fallback arm of the spec. */
  FALLBACK,
  /** The constraint forced an exploration. */
  FORCED,
  /** An experiment asked for it. */
  PULL,
  /** An experiment pauses. */
  HOLD,
  /** An experiment has ended and serves its recommendation. */
  SERVE,
  /** The context failed validation. */
  REJECTED,
  /** The context came after its {@code answerBy}. */
  STALE
}
