package io.equipoise.segmentspec;

/** Whether the learner may assume that an arm was shown because it was decided. */
public enum ShownRule implements Word {
  /** It may, so a silent decision gets the default reward. */
  ASSUMED,
  /**
   * Only a reward or a confirmation says so; without one, a silent decision is never given the
   * default reward.
   */
  CONFIRMED
}
