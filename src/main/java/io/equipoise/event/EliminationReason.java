package io.equipoise.event;

/** The reason why an experiment eliminated an arm; of an unfair and sub-optimal arm, unfair. */
public enum EliminationReason {
  /** From samples of the second group the effect is above E by more than its error. */
  UNFAIR_SS1_HIGH,
  /** From samples of the second group the effect is below -E by more than its error. */
  UNFAIR_SS1_LOW,
  /** From samples of the first group the effect is above E by more than its error. */
  UNFAIR_S1S_HIGH,
  /** From samples of the first group the effect is below -E by more than its error. */
  UNFAIR_S1S_LOW,
  /** The leader's reward is higher by more than the error. */
  SUBOPTIMAL;

  /** Says whether fairness is the reason. */
  public boolean isUnfair() {
    return this != SUBOPTIMAL;
  }
}
