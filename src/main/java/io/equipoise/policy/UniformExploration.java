package io.equipoise.policy;

import io.equipoise.segmentspec.PolicyName;
import java.util.function.IntPredicate;

/**
 * Plays, for a share of the decisions, an arm drawn uniformly from a set instead of the rule's, so
 * that the log can evaluate other policies. One draw decides both whether and which.
 */
public final class UniformExploration {
  /** The rule's arm is played. */
  public static final int RULED = -1;

  /** There is no arm to draw, so the rule's is played and no propensity has changed. */
  public static final int NONE_TO_DRAW = -2;

  private UniformExploration() {}

  /** Returns what an operator should know of a policy that draws none. */
  public static String warningWithout(PolicyName policy) {
    return "without explore the log of "
        + policy.wire()
        + " cannot evaluate other policies: arms that its rule leaves out have propensity 0."
        + " policy.explore: {share: 0.1, over: all} plays that share at random";
  }

  /**
   * Mixes uniform propensities over a set into the rule's.
   *
   * @param share of the decisions, in (0, 1]
   * @param arms that there are
   * @param isDrawnFrom says which arms are in the set
   * @param propensities of the rule before, of both together afterwards
   * @return the arm drawn, which may be the rule's, {@link #RULED} or {@link #NONE_TO_DRAW}
   */
  public static int mix(
      double share,
      SeededRandom seededRandom,
      int arms,
      IntPredicate isDrawnFrom,
      double[] propensities) {
    int size = 0;
    for (int arm = 0; arm < arms; arm++) {
      size += isDrawnFrom.test(arm) ? 1 : 0;
    }
    if (size == 0) {
      return NONE_TO_DRAW;
    }
    double each = share / size;
    double u = seededRandom.uniform(SeededRandom.Purpose.EXPLORE) / each;
    int skip = u < size ? (int) u : -1;
    int drawn = RULED;
    for (int arm = 0; arm < arms; arm++) {
      propensities[arm] *= 1 - share;
      if (isDrawnFrom.test(arm)) {
        propensities[arm] += each;
        drawn = skip == 0 ? arm : drawn;
        skip--;
      }
    }
    return drawn;
  }
}
