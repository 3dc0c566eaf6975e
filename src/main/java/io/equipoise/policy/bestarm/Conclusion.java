package io.equipoise.policy.bestarm;

/** States how a search ended. */
public sealed interface Conclusion {
  /** Names the criterion by which an arm was chosen. */
  enum By {
    /** All others were dropped. */
    LAST_STANDING,
    /** The greatest Yhat among the arms within E by the paper's band. */
    ARGMAX_OF_FAIR,
    /** The greatest Yhat among those left by a two-stage search. */
    ARGMAX_OF_REMAINING
  }

  /** Ends a search that found an arm. */
  record BestFairArm(int arm, By by) implements Conclusion {}

  /**
   * Ends a search that found no arm.
   *
   * @param isEachBeyond whether each arm left is beyond E by more than the paper's band
   */
  record NoFairArm(boolean isEachBeyond) implements Conclusion {}
}
