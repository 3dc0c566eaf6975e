package io.equipoise.event;

/**
 * Explains why an experiment eliminated an arm; an unfair and sub-optimal arm counts as unfair.
 * {@code docs/reference/reasons.md} is generated from it.
 */
public enum EliminationReason {
  UNFAIR_SS1_HIGH(
      "From samples of the second group the effect is above the threshold by more than its error."),
  UNFAIR_SS1_LOW(
      "From samples of the second group the effect is below minus the threshold by more than its"
          + " error."),
  UNFAIR_S1S_HIGH(
      "From samples of the first group the effect is above the threshold by more than its error."),
  UNFAIR_S1S_LOW(
      "From samples of the first group the effect is below minus the threshold by more than its"
          + " error."),
  SUBOPTIMAL("The leader's reward is higher by more than the error.");

  private final String meaning;

  EliminationReason(String meaning) {
    this.meaning = meaning;
  }

  /** Returns what it means, for people. */
  public String meaning() {
    return meaning;
  }

  /** Returns whether fairness is the reason. */
  public boolean isUnfair() {
    return this != SUBOPTIMAL;
  }
}
