package io.equipoise.segmentspec;

/** Decides whether the learner may assume that an arm was shown because it was decided. */
public enum ShownRule implements Word {
  /** It may, so a decision without a reward gets the default reward. */
  ASSUMED,
  /**
   * Only a reward or a confirmation shows it; without a confirmation, a decision never gets the
   * default reward.
   */
  CONFIRMED
}
