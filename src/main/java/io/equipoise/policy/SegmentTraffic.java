package io.equipoise.policy;

import io.equipoise.fairness.AuditSums;
import java.util.List;

/**
 * Counts how often a spec's arms were decided, and who was rewarded.
 *
 * @param arms in the order of the spec
 * @param known positions in the arm dictionary
 * @param decisions of the segment, all arms together
 * @param answered share of the decisions that a reward was learned of, in [0, 1]
 * @param rewards counts of rewards by level; not to be changed
 */
public record SegmentTraffic(
    List<ArmTraffic> arms, int known, long decisions, double answered, AuditSums rewards) {
  /** Copies the list. */
  public SegmentTraffic {
    arms = List.copyOf(arms);
  }

  /**
   * Counts the decisions for one arm.
   *
   * @param position in the arm dictionary; -1 if it was never decided
   * @param decisions for the arm
   * @param share of the latest decisions
   */
  public record ArmTraffic(int position, long decisions, double share) {}

  /** Returns the arm that most of the latest decisions chose; of equals the first. */
  public int chosen() {
    int chosen = 0;
    for (int arm = 1; arm < arms.size(); arm++) {
      chosen = arms.get(arm).share() > arms.get(chosen).share() ? arm : chosen;
    }
    return chosen;
  }

  /**
   * Returns the share of the rewarded people who have a level, of those who disclose one.
   *
   * @param attribute number among the sensitive attributes
   * @param disclosed number of levels that are not "undisclosed"
   */
  public double levelShare(int attribute, int level, int disclosed) {
    long all = 0;
    for (int other = 0; other < disclosed; other++) {
      all += rewards.groupRewards(attribute, other);
    }
    return all == 0 ? 1.0 / disclosed : (double) rewards.groupRewards(attribute, level) / all;
  }
}
