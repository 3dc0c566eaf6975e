package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds the mean reward of one group, in units of the reward. */
public record GroupMean(String attribute, String level, long rewards, double mean) {
  /** The level of a person who does not disclose the attribute. */
  public static final String UNDISCLOSED = "undisclosed";

  /** Stands between the names of attributes that are taken together. */
  private static final String JOINT = "*";

  /** Says whether the group is of people who are equal in several attributes. */
  public boolean isJoint() {
    return attribute.contains(JOINT);
  }

  /**
   * Returns the widest gap between two groups of one attribute alone, null before two have rewards.
   * Those who did not disclose are no group to be ahead or behind.
   */
  public static @Nullable Double widestGap(List<GroupMean> groups) {
    Double widest = null;
    for (GroupMean one : groups) {
      for (GroupMean other : groups) {
        if (one.isComparable()
            && other.isComparable()
            && one.attribute.equals(other.attribute)
            && !one.level.equals(other.level)) {
          double gap = Math.abs(one.mean - other.mean);
          widest = widest == null ? gap : Math.max(widest, gap);
        }
      }
    }
    return widest;
  }

  private boolean isComparable() {
    return rewards > 0 && !isJoint() && !level.equals(UNDISCLOSED);
  }
}
