package io.equipoise.bandit.csr;

/** How a search ended. */
public sealed interface Conclusion {
  /** By what an arm was chosen. */
  enum By {
    /** All others were dropped. */
    LAST_STANDING,
    /** The greatest Yhat among the arms certified fair in the last phase. */
    ARGMAX_OF_FAIR,
    /** The greatest Yhat among those left by a two-stage search, which certifies nothing. */
    ARGMAX_OF_REMAINING
  }

  /** An arm was found. */
  record BestFairArm(int arm, By by) implements Conclusion {}

  /**
   * None was found.
   *
   * @param isProved whether each arm left is unfair beyond its error; otherwise some arm is within
   *     the band around E, and more samples might certify it
   */
  record NoFairArm(boolean isProved) implements Conclusion {}
}
