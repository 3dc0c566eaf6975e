package io.equipoise.tools;

/** Varies the delivery of a round's reward, the same for every segment. */
public enum RewardVariant {
  ON_TIME,
  /** Never sent: its decision expires. */
  LOST,
  /** Sent twice: the second is a dead letter. */
  DOUBLED,
  /** Followed by another one that contradicts it: that one is a dead letter. */
  CONTRADICTED,
  /** Occurs after the window: a dead letter, and its decision expires. */
  LATE;

  private static final double LOST_SHARE = 0.02;
  private static final double DOUBLED_SHARE = 0.02;
  private static final double CONTRADICTED_SHARE = 0.005;
  private static final double LATE_SHARE = 0.005;

  /** Draws the variant of a round's reward. */
  public static RewardVariant of(TrafficChance trafficChance, long round) {
    double draw = trafficChance.of("fate of the reward", round);
    if (draw < LOST_SHARE) {
      return LOST;
    }
    if (draw < LOST_SHARE + DOUBLED_SHARE) {
      return DOUBLED;
    }
    if (draw < LOST_SHARE + DOUBLED_SHARE + CONTRADICTED_SHARE) {
      return CONTRADICTED;
    }
    return draw < LOST_SHARE + DOUBLED_SHARE + CONTRADICTED_SHARE + LATE_SHARE ? LATE : ON_TIME;
  }

  /** Returns whether the decision learns from it. */
  public boolean settles() {
    return this != LOST && this != LATE;
  }
}
