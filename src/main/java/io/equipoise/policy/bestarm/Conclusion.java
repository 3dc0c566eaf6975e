package io.equipoise.policy.bestarm;

/** States how a search ended. */
public sealed interface Conclusion {
  /** By what an arm was chosen. */
  enum By {
    /** All others were dropped. */
    LAST_STANDING,
    /** The greatest Yhat among the arms within E by the paper's band. */
    ARGMAX_OF_FAIR,
    /** The greatest Yhat among those left by a two-stage search. */
    ARGMAX_OF_REMAINING
  }

  /** An arm was found. */
  record BestFairArm(int arm, By by) implements Conclusion {}

  /**
   * None was found.
   *
   * @param isEachBeyond whether each arm left is beyond E by more than the paper's band
   */
  record NoFairArm(boolean isEachBeyond) implements Conclusion {}
}
