package io.equipoise.lab.cclb;

import io.equipoise.lab.SplitMix;

/**
 * When rewards reach the learner: after an exponential number of rounds whose mean may depend on
 * the outcome, or all at the end of their decision's window.
 *
 * @param meanOfZero mean rounds until a reward of 0 arrives; 0 for at once
 * @param meanOfOne likewise of 1
 * @param window rewards are learned only so many rounds after their decision, and later ones not at
 *     all; 0 for as they arrive
 */
record Delay(double meanOfZero, double meanOfOne, int window) {
  static final Delay NONE = new Delay(0, 0, 0);

  /** A reward that is never learned. */
  static final int NEVER = -1;

  /**
   * Returns after how many rounds a reward is learned, or {@link #NEVER}: 0 if before the next
   * decision. Draws one uniform if the outcome's mean is above 0.
   */
  int lag(double y, SplitMix delays) {
    double mean = y == 1 ? meanOfOne : meanOfZero;
    int lag = 0;
    if (mean > 0) {
      lag = (int) Math.ceil(-mean * StrictMath.log(1 - delays.nextDouble()));
    }
    if (window == 0) {
      return lag;
    }
    return lag <= window ? window : NEVER;
  }
}
