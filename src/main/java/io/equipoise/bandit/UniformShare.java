package io.equipoise.bandit;

/**
 * Plays, for a share of the decisions, an arm drawn uniformly from a set instead of the rule's, so
 * that the log can evaluate other policies. One draw decides both whether and which.
 */
public final class UniformShare {
  private UniformShare() {}

  /**
   * Mixes uniform propensities over a set into the rule's.
   *
   * @param share of the decisions, in (0, 1]
   * @param isDrawnFrom says which arms are in the set; where none is, nothing changes
   * @param propensities of the rule before, of both together afterwards
   * @return the arm drawn, or -1 where the rule's is played
   */
  public static int mix(double share, Draw draw, boolean[] isDrawnFrom, double[] propensities) {
    int size = 0;
    for (boolean isDrawn : isDrawnFrom) {
      size += isDrawn ? 1 : 0;
    }
    if (size == 0) {
      return -1;
    }
    double each = share / size;
    double u = draw.uniform(Draw.Purpose.EXPLORE) / each;
    int skip = u < size ? (int) u : -1;
    int drawn = -1;
    for (int arm = 0; arm < propensities.length; arm++) {
      propensities[arm] *= 1 - share;
      if (isDrawnFrom[arm]) {
        propensities[arm] += each;
        drawn = skip == 0 ? arm : drawn;
        skip--;
      }
    }
    return drawn;
  }
}
