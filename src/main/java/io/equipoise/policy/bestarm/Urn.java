package io.equipoise.policy.bestarm;

import java.util.Arrays;

/**
 * Draws pulls from what is left of a phase's quota, without replacement: quotas are met exactly, in
 * an order that no time of day can favor.
 */
final class Urn {
  /** Nothing is left for this context. */
  static final int NOT_SAMPLED = -1;

  private Urn() {}

  /**
   * Returns type * arms + arm, or {@link #NOT_SAMPLED}.
   *
   * <p>Where groups have quotas of their own, natural or not is drawn before looking at the group,
   * and a draw that finds its group's urn empty is never put to the natural ones: else these would
   * not have the natural mix of S.
   *
   * @param quota what is left, by type and arm
   * @param u uniform in [0, 1)
   */
  static int draw(int[][] quota, int group, double u) {
    int natural = left(quota[0]);
    int total = Arrays.stream(quota).mapToInt(Urn::left).sum();
    if (total == 0) {
      return NOT_SAMPLED;
    }
    double at = u * total;
    if (at < natural) {
      return arm(quota[0], (int) at);
    }
    if (group == CsrModel.UNKNOWN_GROUP) {
      return NOT_SAMPLED;
    }
    int type = group == CsrModel.S ? PullType.OF_S.number() : PullType.OF_S_PRIME.number();
    int ofGroup = left(quota[type]);
    if (ofGroup == 0) {
      return NOT_SAMPLED;
    }
    double within = (at - natural) / (total - natural);
    int place = Math.min(ofGroup - 1, (int) (within * ofGroup));
    return type * quota[type].length + arm(quota[type], place);
  }

  /**
   * Returns how likely {@link #draw} gives each arm to someone of a group, and the incumbent to
   * those that it holds.
   */
  static double[] propensities(int[][] quota, int group, int incumbent) {
    double[] shares = new double[quota[0].length];
    double total = Arrays.stream(quota).mapToInt(Urn::left).sum();
    int type = group == CsrModel.S ? PullType.OF_S.number() : PullType.OF_S_PRIME.number();
    boolean hasOwn = quota.length > 1 && group != CsrModel.UNKNOWN_GROUP && left(quota[type]) > 0;
    double forced = total - left(quota[0]);
    double held = total == 0 ? 1 : hasOwn ? 0 : forced / total;
    for (int arm = 0; arm < shares.length && total > 0; arm++) {
      shares[arm] = quota[0][arm] / total;
      if (hasOwn) {
        shares[arm] += forced / total * quota[type][arm] / left(quota[type]);
      }
    }
    shares[incumbent] += held;
    return shares;
  }

  static int left(int[] quota) {
    return Arrays.stream(quota).sum();
  }

  private static int arm(int[] quota, int place) {
    int rest = place;
    int arm = 0;
    while (rest >= quota[arm]) {
      rest -= quota[arm++];
    }
    return arm;
  }
}
