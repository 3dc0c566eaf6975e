package io.equipoise.policy.bestarm;

/**
 * One reason why an arm was dropped: its value was beyond a bound.
 *
 * @param value the end of the arm's interval that is nearest to the bound
 */
public record Elimination(int arm, Reason reason, double value, double bound) {
  /** Why arms are dropped. An arm that is unfair and sub-optimal is first of all unfair. */
  public enum Reason {
    /** zeta^{s,s'} - 3/2^l is above E. */
    UNFAIR_SS1_HIGH,
    /** zeta^{s,s'} + 3/2^l is below -E. */
    UNFAIR_SS1_LOW,
    /** zeta^{s',s} - 3/2^l is above E. */
    UNFAIR_S1S_HIGH,
    /** zeta^{s',s} + 3/2^l is below -E. */
    UNFAIR_S1S_LOW,
    /** Yhat + 5/2^l is below the leader's Yhat. */
    SUBOPTIMAL;

    /** Says whether fairness is the reason. */
    public boolean isUnfair() {
      return this != SUBOPTIMAL;
    }
  }
}
